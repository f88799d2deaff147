'use client';

import { type ReactNode, useEffect, useState } from 'react';
import { prepareDevice, renewDevice } from '#app/portal/device/device.ts';
import { usePopUps } from '#app/portal/live/popups/pop-ups.tsx';
import { PortalProvider, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import type { InitialPortal } from '#app/portal/live/store/portal-state.ts';
import { PortalStore } from '#app/portal/live/store/portal-store.ts';
import { useUnreadMarks } from '#app/portal/live/unread-marks.ts';

/** Listens for the employee's notifications while a page is open, rings and opens pop-ups. */
export function Listener({
  initial,
  isOwner,
  children,
}: {
  initial: InitialPortal;
  isOwner: boolean;
  children: ReactNode;
}) {
  const [portal] = useState(() => new PortalStore(initial));
  const popUps = usePopUps(portal);
  const { person, unread, preferences } = initial;
  // In this order: starting the store may open the first pop-up.
  useEffect(() => portal.setPopUps(popUps), [portal, popUps]);
  useEffect(() => portal.refresh(unread, preferences), [portal, unread, preferences]);
  useEffect(() => portal.start(), [portal]);
  useEffect(() => {
    prepareDevice();
    void renewDevice(person, isOwner).catch(() => {});
  }, [person, isOwner]);
  return (
    <PortalProvider value={portal}>
      <UnreadMarks />
      {children}
    </PortalProvider>
  );
}

function UnreadMarks() {
  useUnreadMarks(usePortalState().unread.count);
  return null;
}
