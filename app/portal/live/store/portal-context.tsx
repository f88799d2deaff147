'use client';

import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Portal } from '#app/portal/live/store/portal-store.ts';

const PortalContext = createContext<Portal | null>(null);

/** Gives this page's end of the portal to everything inside. */
export const PortalProvider = PortalContext.Provider;

/** This page's end of the portal. Only within `Listener`. */
export function usePortal(): Portal {
  const portal = useContext(PortalContext);
  if (!portal) throw new Error('there is no Listener around');
  return portal;
}

/** This page's end of the portal, or null on pages of people who are not employees. */
export const useOptionalPortal = (): Portal | null => useContext(PortalContext);

/** Whether the session of this page is over; false where there is no portal. */
export function useEnded(): boolean {
  const portal = useOptionalPortal();
  const read = () => portal?.state.ended ?? false;
  return useSyncExternalStore(portal?.subscribe ?? never, read, read);
}

const never = () => () => {};
