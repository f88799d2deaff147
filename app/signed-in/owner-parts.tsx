'use client';

import dynamic from 'next/dynamic';

// Loaded on demand, so that employees do not download them.

/** The alarms of an owner. */
export const Alarms = dynamic(() => import('#app/owner/alarms/alarm-bar.tsx').then(({ AlarmBar }) => AlarmBar));

/** What an owner or manager can undo. */
export const HeldSends = dynamic(() => import('#app/owner/sends/held/held-bar.tsx').then(({ HeldBar }) => HeldBar));
