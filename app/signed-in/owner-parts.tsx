'use client';

import dynamic from 'next/dynamic';

// Loaded on demand: only people who need these parts download them. What an owner has, or a manager too:
export const Alarms = dynamic(() => import('#app/owner/alarms/alarm-bar.tsx').then(({ AlarmBar }) => AlarmBar));
export const HeldSends = dynamic(() => import('#app/owner/sends/held/held-bar.tsx').then(({ HeldBar }) => HeldBar));

const listener = () => import('#app/portal/live/listener.tsx');

/** The listener and the header's bell of an owner or manager who is also an employee. */
export const Listener = dynamic(() => listener().then(({ Listener }) => Listener));
export const BellTools = dynamic(() => listener().then(({ BellTools }) => BellTools));
export const UnreadCount = dynamic(() => listener().then(({ UnreadCount }) => UnreadCount));
