'use client';

import dynamic from 'next/dynamic';

/** The alarms of an owner. Loaded on demand, so that employees do not download them. */
export const Alarms = dynamic(() => import('#app/owner/alarms/alarm-bar.tsx').then(({ AlarmBar }) => AlarmBar));
