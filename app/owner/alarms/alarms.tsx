'use client';

import dynamic from 'next/dynamic';

/** The alarms of an owner, on whatever page; the pages of those who are none do not bring them along. */
export const Alarms = dynamic(() => import('#app/owner/alarms/alarm-bar.tsx').then(({ AlarmBar }) => AlarmBar));
