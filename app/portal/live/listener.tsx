'use client';

import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { usePopUps } from '#app/portal/live/popups/pop-ups.tsx';
import { PortalProvider, usePortal } from '#app/portal/live/store/portal-context.tsx';
import { type Beginning, Portal, type PortalState } from '#app/portal/live/store/portal-store.ts';
import { useUnreadMarks } from '#app/portal/live/store/unread-marks.ts';
import { prepareDevice, renewDevice } from '#app/portal/settings/device.ts';

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
    <PortalProvider value={portal}>
      <UnreadMarks />
      {children}
    </PortalProvider>
  );
}

const nowhere = {
  show: () => {},
  withdraw: () => {},
  remove: () => {},
  seen: () => {},
  clear: () => {},
  sumUp: () => {},
};

function UnreadMarks() {
  useUnreadMarks(usePortalState().unread.count);
  return null;
}
