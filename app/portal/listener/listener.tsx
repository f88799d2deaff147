'use client';

import { usePathname } from 'next/navigation';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import type { Item } from '#app/portal/item.ts';
import { claimRing, noteReceived, readCursor } from '#app/portal/listener/cursor.ts';
import { usePopUps } from '#app/portal/listener/pop-ups.tsx';
import type { FromWorker, ToWorker } from '#app/portal/listener/ring.worker.ts';
import { chime, unlockSoundAtFirstTouch } from '#app/portal/listener/sound.ts';

/** How the listener is doing. */
export type Connection = 'connected' | 'disconnected' | 'ended';

type Listening = {
  unread: number;
  /** Takes over the count that the answer to a mark brought. */
  setUnread: (unread: number) => void;
  /** What arrived while this page was open, newest first. */
  arrived: Item[];
  connection: Connection;
};

const ListenerContext = createContext<Listening>({
  unread: 0,
  setUnread: () => {},
  arrived: [],
  connection: 'connected',
});

/** The live state of the portal: unread count, what arrived, and the connection. */
export const useListener = () => useContext(ListenerContext);

// What arrived within this time while no page was open (a reload, a restart) still pops up.
const recentMs = 60_000;

/**
 * Listens for the person's notifications on every portal page: a worker asks every 10 s from the last number
 * on, this component rings once and shows pop-ups. `person` names the employee within this browser's storage.
 */
export function Listener({
  person,
  newest,
  initialUnread,
  children,
}: {
  person: string;
  newest: number;
  initialUnread: number;
  children: ReactNode;
}) {
  const [unread, setUnread] = useState(initialUnread);
  const [arrived, setArrived] = useState<Item[]>([]);
  const [connection, setConnection] = useState<Connection>('connected');
  const popUps = usePopUps();
  const popUpsRef = useRef(popUps);
  popUpsRef.current = popUps;

  const markedAt = useRef(0);

  useEffect(() => setUnread(initialUnread), [initialUnread]);

  const receive = useCallback(
    async (items: Item[]) => {
      const last = items.at(-1);
      if (!last) return;
      setArrived((before) => [...items.toReversed(), ...before]);
      popUpsRef.current.show(items);
      if (await claimRing(person, last.no)) chime();
    },
    [person],
  );

  const start = useRef({ newest, initialUnread });
  useEffect(() => {
    const cursor = readCursor(person);
    const recent = cursor !== null && Date.now() - cursor.at < recentMs;
    const after = recent ? Math.min(cursor.received, start.current.newest) : start.current.newest;
    if (!recent && start.current.initialUnread > 0) popUpsRef.current.summarize(start.current.initialUnread);
    noteReceived(person, after);
    return listen(after, (message, tell) => {
      if (message.type !== 'answer') return setConnection(message.type === 'ended' ? 'ended' : 'disconnected');
      setConnection('connected');
      const { newest: received, items, unread: count } = message.answer;
      // A count asked for before the person's own mark was kept would undo it on the screen.
      const stale = message.askedAt < markedAt.current;
      if (count !== null && !stale) setUnread(count);
      if (count !== null && stale) tell({ type: 'count' });
      noteReceived(person, received);
      void receive(items);
    });
  }, [person, receive]);

  useEffect(() => unlockSoundAtFirstTouch(), []);
  useUnreadInTitle(unread);

  const setMarked = useCallback((count: number) => {
    markedAt.current = Date.now();
    setUnread(count);
  }, []);
  const value = useMemo(
    () => ({ unread, setUnread: setMarked, arrived, connection }),
    [unread, setMarked, arrived, connection],
  );
  return <ListenerContext value={value}>{children}</ListenerContext>;
}

// Starts the worker, and has it look at once whenever the page comes back to life.
type Tell = (message: ToWorker) => void;

function listen(after: number, onMessage: (message: FromWorker, tell: Tell) => void): () => void {
  const worker = new Worker(new URL('./ring.worker.ts', import.meta.url), { type: 'module' });
  const tell: Tell = (message) => worker.postMessage(message);
  worker.onmessage = ({ data }: MessageEvent<FromWorker>) => onMessage(data, tell);
  tell({ type: 'start', after });
  const wake = () => {
    if (document.visibilityState === 'visible') tell({ type: 'now' });
  };
  document.addEventListener('visibilitychange', wake);
  for (const event of ['online', 'pageshow'] as const) addEventListener(event, wake);
  return () => {
    worker.terminate();
    document.removeEventListener('visibilitychange', wake);
    for (const event of ['online', 'pageshow'] as const) removeEventListener(event, wake);
  };
}

function useUnreadInTitle(unread: number): void {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page brings a new title, which needs the count again
  useEffect(() => {
    const show = () => {
      const bare = document.title.replace(/^\(\d+\+?\) /, '');
      const wanted = unread > 0 ? `(${unread > 99 ? '99+' : unread}) ${bare}` : bare;
      if (document.title !== wanted) document.title = wanted;
    };
    show();
    const watcher = new MutationObserver(show);
    watcher.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => watcher.disconnect();
  }, [unread, pathname]);
}
