'use client';

import dynamic from 'next/dynamic';

/**
 * The first steps of a company, loaded on demand. They are not in `owner-parts.tsx`: when a page and its layout load
 * parts through one file, Next lists scripts for the page that the build does not have.
 */
export const FirstSteps = dynamic(() => import('#app/owner/home/first-steps.tsx').then(({ FirstSteps }) => FirstSteps));
