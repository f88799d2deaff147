'use client';

import dynamic from 'next/dynamic';
import type { ComponentType } from 'react';

/**
 * A part of a page that is fetched when it is first shown, such as a dialog. When its file is gone because the service was updated
 * since the page was opened, the page is loaded anew; `height` keeps its place (px).
 */
export function whenNeeded<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { height }: { height?: number } = {},
): ComponentType<Props> {
  return dynamic(() => load().catch(loadPageAnew), { loading: () => (height ? <div style={{ height }} /> : null) });
}

// Only ever after somebody pressed something; without a connection the page says what is wrong and offers to try again.
function loadPageAnew(error: unknown): never {
  if (navigator.onLine) location.reload();
  throw error;
}
