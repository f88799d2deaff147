import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { addressGroup } from '#platform/config/ip-address.ts';
import { clientAddressOf } from '#platform/net/client-address.ts';
import { countTakenBytes } from '#platform/net/node-internals.ts';
import { type Connections, requestEvents } from '#server/front/connections.ts';

// How slowly a client may read: for `graceMs` under `bytesPerSecond`, or for one check over `maxBytes` of its address.
type ReadingPace = { graceMs: number; bytesPerSecond: number; checkMs: number; maxBytes: number };

const defaultPace: ReadingPace = { graceMs: 30_000, bytesPerSecond: 2048, checkMs: 5000, maxBytes: 16 * 1024 * 1024 };

/** The limit of bytes that this process holds for one group of addresses. `waitForRoom` waits up to 10 s. */
export type SlowReaderLimit = ReturnType<typeof limitSlowReaders>;

// `slowSince`: when the client last kept the pace, and how many bytes the system had taken by then.
type Reader = { group: string; slowSince?: { ms: number; takenBytes: number } };

/**
 * Resets connections whose client reads its responses too slowly, so that it cannot keep them in
 * memory for ever. Streams have left `connections` and have their own limit.
 */
export function limitSlowReaders(server: Server, connections: Connections, pace = defaultPace) {
  const readers = new Map<Socket, Reader>();
  // The sockets of each group: a sum over all of them for each group would cost the square.
  const groups = new Map<string, Set<Socket>>();
  const hasRoom = (group: string) => {
    let bytes = 0;
    for (const socket of groups.get(group) ?? []) {
      bytes += countWaiting(socket);
      if (bytes >= pace.maxBytes) return false;
    }
    return true;
  };
  const forget = (socket: Socket) => {
    const group = readers.get(socket)?.group ?? '';
    groups.get(group)?.delete(socket);
    if (groups.get(group)?.size === 0) groups.delete(group);
    readers.delete(socket);
  };
  const note = ({ socket, headers }: IncomingMessage) => {
    const group = addressGroup(clientAddressOf({ socket, headers }));
    const reader = readers.get(socket);
    if (reader?.group === group) return;
    forget(socket);
    readers.set(socket, { ...reader, group });
    groups.set(group, (groups.get(group) ?? new Set()).add(socket));
  };
  for (const event of requestEvents) server.prependListener(event, note);
  const check = () => {
    const roomy = new Set([...groups.keys()].filter(hasRoom));
    for (const [socket, reader] of readers) {
      const isOver = !connections.has(socket) || connections.get(socket)?.writableFinished;
      if (countWaiting(socket) === 0) {
        reader.slowSince = undefined;
        if (isOver) forget(socket);
        continue;
      }
      const now = { ms: performance.now(), takenBytes: countTakenBytes(socket) };
      const { slowSince = now } = reader;
      const expected = ((now.ms - slowSince.ms) / 1000) * pace.bytesPerSecond;
      reader.slowSince = now.takenBytes - slowSince.takenBytes < expected ? slowSince : now;
      const graceMs = roomy.has(reader.group) ? pace.graceMs : pace.checkMs;
      if (now.ms - reader.slowSince.ms > graceMs) socket.resetAndDestroy();
    }
  };
  server.once('listening', () => {
    const timer = setInterval(check, pace.checkMs).unref();
    server.once('close', () => clearInterval(timer));
  });
  // Waiting requests try one after another, so that each sees what the one before has written.
  let turns = Promise.resolve();
  const nextTurn = async () => {
    await sleep(250, undefined, { ref: false });
    turns = turns.then(() => setImmediate());
    await turns;
  };
  const waitForRoom = async (group: string) => {
    for (const until = performance.now() + 10_000; !hasRoom(group); await nextTurn())
      if (performance.now() > until) return false;
    return true;
  };
  return { hasRoom, waitForRoom };
}

const countWaiting = (socket: Socket): number => (socket.destroyed ? 0 : socket.bytesWritten - countTakenBytes(socket));
