'use client';

import { createContext, type ReactNode, useContext, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { usePopUps } from '#app/portal/listener/pop-ups.tsx';
import { type Beginning, Portal, type PortalState } from '#app/portal/listener/portal.ts';
import { useUnreadMarks } from '#app/portal/listener/unread-marks.ts';
import { prepareDevice } from '#app/portal/settings/device.ts';

const PortalContext = createContext<Portal | null>(null);

/** This page's end of the portal. Only within `Listener`. */
export function usePortal(): Portal {
  const portal = useContext(PortalContext);
  if (!portal) throw new Error('there is no Listener around');
  return portal;
}

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
  useEffect(() => prepareDevice(), []);
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
