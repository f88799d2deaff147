'use client';

import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { usePopUps } from '#app/portal/listener/pop-ups.tsx';
import { type Beginning, Portal, type PortalState } from '#app/portal/listener/portal.ts';
import { useUnreadMarks } from '#app/portal/listener/unread-marks.ts';
import { prepareDevice, renewDevice } from '#app/portal/settings/device.ts';

const PortalContext = createContext<Portal | null>(null);

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

/** The live state of the portal. Only within `Listener`. */
export function usePortalState(): PortalState {
  const portal = usePortal();
  const read = () => portal.state;
  return useSyncExternalStore(portal.subscribe, read, read);
}

/** Listens for the person's notifications on every page, rings and shows pop-ups. */
export function Listener({ beginning, children }: { beginning: Beginning; children: ReactNode }) {
  const stage = useRef<ReturnType<typeof usePopUps> | null>(null);
  const [portal] = useState(() => new Portal(beginning, () => stage.current ?? nowhere));
  stage.current = usePopUps(portal);
  const { unread, preferences } = beginning;
  useEffect(() => portal.refresh(unread, preferences), [portal, unread, preferences]);
  useEffect(() => portal.start(), [portal]);
  useEffect(() => {
    prepareDevice();
    void renewDevice(beginning.person).catch(() => {});
  }, [beginning.person]);
  return (
    <PortalContext value={portal}>
      <UnreadMarks />
      {children}
    </PortalContext>
  );
}

const nowhere = { show: () => {}, withdraw: () => {}, seen: () => {}, clear: () => {}, sumUp: () => {} };

function UnreadMarks() {
  useUnreadMarks(usePortalState().unread.count);
  return null;
}
