'use client';

import dynamic from 'next/dynamic';

/** What an owner or manager can undo. Loaded on demand, so that employees do not download it. */
export const HeldSends = dynamic(() => import('#app/owner/sends/held/held-bar.tsx').then(({ HeldBar }) => HeldBar));
