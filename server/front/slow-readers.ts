import { readFile } from 'node:fs/promises';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { addressGroup, parseIpAddress } from '#platform/config/ip-address.ts';
import { clientAddressOf, isFromProxy } from '#platform/net/client-address.ts';
import { type Connections, requestEvents } from '#server/front/connections.ts';

// How slowly a client may read: for `graceMs` slower than `bytesPerSecond`, or for the time between
// two checks while more than `maxBytes` wait for its address.
type ReadingPace = { graceMs: number; bytesPerSecond: number; checkMs: number; maxBytes: number };

const defaultPace: ReadingPace = { graceMs: 30_000, bytesPerSecond: 2048, checkMs: 5000, maxBytes: 16 * 1024 * 1024 };
// Fewer bytes are not looked for in the system, because reading 20,000 connections takes 20 ms.
const unnoticedBytes = 16 * 1024;
const betweenCountsMs = 250;
const maxWaitMs = 10_000;

/**
 * The limit of bytes that wait for one client address (IPv6: a /64). `has` tells whether a group of
 * addresses is below it; `wait` resolves when it is, or after 10 s with false.
 */
export type ReadingRoom = { has: (group: string) => boolean; wait: (group: string) => Promise<boolean> };

// `delivered`: bytes that the client has taken. `slowSince`: when it last kept the pace, and how many
// were delivered then.
type Reader = { group: string; delivered: number; slowSince?: { ms: number; delivered: number } };

/**
 * Resets connections whose client reads its responses too slowly, so that it cannot keep them in
 * memory for ever. Counts what the client's system has acknowledged, on Linux; elsewhere what this
 * system has taken. Streams have left `connections` and have their own limit.
 */
export function limitSlowReaders(server: Server, connections: Connections, pace = defaultPace): ReadingRoom {
  const readers = new Map<Socket, Reader>();
  // Bytes of connections that are closed here and of other processes.
  let others = new Map<string, number>();
  const ports = new Set<number | undefined>();
  let counting: Promise<void> | undefined;
  let countedAt = 0;

  const waitingFor = (group: string) => {
    let bytes = others.get(group) ?? 0;
    for (const [socket, reader] of readers) if (reader.group === group) bytes += waitingAt(socket, reader);
    return bytes;
  };
  const has = (group: string) => waitingFor(group) < pace.maxBytes;

  async function count(): Promise<void> {
    const taken = [...readers].map(([socket, reader]) => {
      const isLarge = waitingAt(socket, reader) > unnoticedBytes;
      if (!connections.has(socket)) readers.delete(socket);
      return { socket, reader, isLarge, bytes: countTaken(socket) };
    });
    const isNeeded = others.size > 0 || taken.some(({ isLarge }) => isLarge);
    const queues = isNeeded ? (await listSendQueues()).filter(({ localPort }) => ports.has(localPort)) : [];
    const held = new Map(queues.map((queue) => [`${queue.address} ${queue.port}`, queue]));
    for (const { socket, reader, isLarge, bytes } of taken) {
      const name = `${parseIpAddress(socket.remoteAddress ?? '')} ${socket.remotePort}`;
      reader.delivered = Math.max(reader.delivered, bytes - (isLarge ? (held.get(name)?.bytes ?? 0) : 0));
      held.delete(name);
      const isWaiting = waitingAt(socket, reader) > 0;
      const now = { ms: performance.now(), delivered: reader.delivered };
      const { slowSince = now } = reader;
      const expected = ((now.ms - slowSince.ms) / 1000) * pace.bytesPerSecond;
      if (!isWaiting) reader.slowSince = undefined;
      else reader.slowSince = now.delivered - slowSince.delivered < expected ? slowSince : now;
      if (!isWaiting && connections.get(socket)?.writableFinished) readers.delete(socket);
    }
    others = new Map();
    for (const { address, bytes } of held.values()) {
      const group = addressGroup(address);
      if (!isFromProxy({ remoteAddress: address })) others.set(group, (others.get(group) ?? 0) + bytes);
    }
  }

  // All that wait share one count.
  const countSoon = () => {
    counting ??= (async () => {
      await sleep(Math.max(0, countedAt + betweenCountsMs - performance.now()), undefined, { ref: false });
      await count();
      countedAt = performance.now();
      counting = undefined;
    })();
    return counting;
  };

  // One after another, so that each sees what the one before it has written.
  let turns = Promise.resolve();
  const nextTurn = async () => {
    await countSoon();
    turns = turns.then(() => setImmediate());
    await turns;
  };

  const note = ({ socket, headers }: IncomingMessage) => {
    const group = addressGroup(clientAddressOf({ socket, headers }));
    ports.add(socket.localPort);
    const known = readers.get(socket);
    if (known) known.group = group;
    else readers.set(socket, { group, delivered: socket.bytesWritten });
  };
  for (const event of requestEvents) server.prependListener(event, note);
  // A socket that is closed while bytes wait would keep them in the system's memory for minutes.
  server.on('timeout', (socket) => {
    const reader = readers.get(socket);
    if (reader && waitingAt(socket, reader) > 0)
      void countSoon().then(() => (waitingAt(socket, reader) > 0 ? socket.setTimeout(pace.checkMs) : socket.destroy()));
    else socket.destroy();
  });
  server.once('listening', () => {
    const check = async () => {
      if (readers.size === 0) return;
      await countSoon();
      const groups = new Set([...readers.values()].map(({ group }) => group));
      const roomy = new Set([...groups].filter(has));
      for (const [socket, { group, slowSince }] of readers) {
        const graceMs = roomy.has(group) ? pace.graceMs : pace.checkMs;
        if (slowSince && performance.now() - slowSince.ms > graceMs) socket.resetAndDestroy();
      }
    };
    const timer = setInterval(() => void check(), pace.checkMs).unref();
    server.once('close', () => clearInterval(timer));
  });
  return {
    has,
    wait: async (group) => {
      for (const until = performance.now() + maxWaitMs; !has(group); await nextTurn())
        if (performance.now() > until) return false;
      return true;
    },
  };
}

const waitingAt = (socket: Socket, { delivered }: Reader) => socket.bytesWritten - delivered;

type WithHandle = { _handle?: { bytesWritten: number; writeQueueSize: number } | null };

// How many bytes the system has taken. `writableLength` does not shrink before a whole write, which
// can be the whole response, was taken, so this reads what Node's own idle timeout reads.
function countTaken(socket: Socket): number {
  const { _handle: handle } = socket as unknown as WithHandle;
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten - socket.writableLength;
}

const unhex = (hex = '') => Number.parseInt(hex, 16);
// Each 32-bit word of an address is in the byte order of the machine, which is little-endian.
const ordered = (hex: string) => hex.replace(/(..)(..)(..)(..)/g, '$4$3$2$1');

function readAddress(hex: string): string | null {
  const words = ordered(hex).match(hex.length === 8 ? /../g : /..../g) ?? [];
  return parseIpAddress(hex.length === 8 ? words.map(unhex).join('.') : words.join(':'));
}

// How many bytes the system still holds for the other ends of TCP connections, as local port, and
// address and port of the other end. Connections that this machine closed are included until all was
// delivered. Linux only; elsewhere the list is empty.
async function listSendQueues(): Promise<{ localPort: number; address: string; port: number; bytes: number }[]> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  );
  return [...tables.join('').matchAll(/: \w+:(\w+) (\w+):(\w+) \w+ (?!0{8})(\w+):/g)].map(
    ([, local, address = '', port, bytes]) => ({
      localPort: unhex(local),
      address: readAddress(address) ?? '',
      port: unhex(port),
      bytes: unhex(bytes),
    }),
  );
}
