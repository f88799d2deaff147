import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

type Link = { near: Socket; far: Socket };

type Target = { port: number; host?: string };

const cut = ({ near, far }: Link): void => {
  near.destroy();
  far.destroy();
};

/** Starts a proxy. `target` says where each new connection leads; `pass` moves the bytes, by default all. */
async function startTcpProxy(
  target: () => Target,
  pass: (link: Link) => void = ({ near, far }) => void near.pipe(far).pipe(near),
) {
  const links = new Set<Link>();
  const server = createServer({ noDelay: true }, (near) => {
    const link = { near, far: connect({ host: '127.0.0.1', noDelay: true, ...target() }) };
    links.add(link);
    for (const socket of [link.near, link.far])
      socket
        .on('error', () => {})
        .on('close', () => {
          cut(link);
          links.delete(link);
        });
    pass(link);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    for (const link of links) cut(link);
    server.close();
    await once(server, 'close');
  };
  return { port: (server.address() as AddressInfo).port, links, stop };
}

/** A proxy whose target can change. A change ends open connections unless they are to be `left`. */
export async function startMovingAddress(target: number) {
  let port = target;
  const proxy = await startTcpProxy(() => ({ port }));
  const moveTo = (next: number, open: 'ended' | 'left' = 'ended') => {
    port = next;
    if (open === 'ended') for (const link of proxy.links) cut(link);
  };
  return { ...proxy, moveTo };
}

export type MovingAddress = Awaited<ReturnType<typeof startMovingAddress>>;

/** A proxy to a database that delays answers, holds those of chosen connections, or lets connections die silently. */
export async function startDatabaseProxy(target: string) {
  const said = new Map<Link, string>();
  const held = new Set<Link>();
  const muted = new Set<Link>();
  let delayMs = 0;
  let marker: string | null = null;
  const url = new URL(target);
  const pass = (link: Link) => {
    const { near, far } = link;
    said.set(link, '');
    near.on('data', (bytes) => {
      said.set(link, (said.get(link) + bytes.toString('latin1')).slice(0, 20_000));
      if (marker !== null && bytes.includes(marker)) held.add(link);
      if (!muted.has(link)) far.write(bytes);
    });
    // Answers keep their order also when the delay becomes shorter.
    let earlier: Promise<unknown> = Promise.resolve();
    far.on('data', (bytes) => {
      if (held.has(link) || muted.has(link)) return;
      const due = sleep(delayMs);
      earlier = earlier.then(() => due).then(() => near.write(bytes));
    });
  };
  const proxy = await startTcpProxy(() => ({ host: url.hostname, port: Number(url.port) }), pass);
  const linksWith = (words: RegExp) => [...said].filter(([, text]) => words.test(text)).map(([link]) => link);
  return {
    url: Object.assign(new URL(target), { port: String(proxy.port) }).href,
    stop: proxy.stop,
    setDelay: (ms: number) => {
      delayMs = ms;
    },
    /** Holds the answers of connections that send this text from now on. */
    hold: (text: string | null) => {
      marker = text;
    },
    cutHeld: () => {
      for (const link of held) cut(link);
    },
    /** Makes the connections that have sent such words silent. Returns how many there are. */
    mute: (words: RegExp) => {
      const found = linksWith(words).filter((link) => !muted.has(link));
      for (const link of found) {
        muted.add(link);
        for (const socket of [link.near, link.far]) socket.removeAllListeners('close');
      }
      return found.length;
    },
    /** Counts the connections that have sent such words. */
    seen: (words: RegExp) => linksWith(words).length,
  };
}
