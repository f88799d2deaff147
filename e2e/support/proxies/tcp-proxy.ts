import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A connection through a proxy, with the client's side and the server's. */
export type Link = { near: Socket; far: Socket };

/** A TCP proxy on a free port of this machine. `links` are its open connections. */
export type TcpProxy = { port: number; links: Set<Link>; stop: () => Promise<void> };

type Target = { port: number; host?: string };

/** Ends both sides of a connection. */
export const cut = ({ near, far }: Link): void => {
  near.destroy();
  far.destroy();
};

/** Starts a proxy. `target` says where each new connection leads; `pass` moves the bytes, by default all. */
export async function startTcpProxy(
  target: () => Target,
  pass: (link: Link) => void = ({ near, far }) => void near.pipe(far).pipe(near),
): Promise<TcpProxy> {
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

const targetOf = (url: string): Target => ({ host: new URL(url).hostname, port: Number(new URL(url).port) });
const through = ({ port }: TcpProxy, url: string): string => Object.assign(new URL(url), { port: String(port) }).href;

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

/** A proxy to a database that can delay answers, or hold those of a connection that sends a text. */
export async function startDatabaseProxy(target: string) {
  const held = new Set<Link>();
  let delayMs = 0;
  let marker: string | null = null;
  const proxy = await startTcpProxy(
    () => targetOf(target),
    (link) => {
      const { near, far } = link;
      near.on('data', (bytes) => {
        if (marker !== null && bytes.includes(marker)) held.add(link);
        far.write(bytes);
      });
      // Answers keep their order also when the delay becomes shorter.
      let earlier: Promise<unknown> = Promise.resolve();
      far.on('data', (bytes) => {
        if (held.has(link)) return;
        const due = sleep(delayMs);
        earlier = earlier.then(() => due).then(() => near.write(bytes));
      });
    },
  );
  return {
    url: through(proxy, target),
    stop: proxy.stop,
    setDelay: (ms: number) => {
      delayMs = ms;
    },
    hold: (text: string | null) => {
      marker = text;
    },
    cutHeld: () => {
      for (const link of held) cut(link);
    },
  };
}

export type DatabaseProxy = Awaited<ReturnType<typeof startDatabaseProxy>>;

/** A proxy to a database whose connections can die silently. `mute` and `seen` find them by what they sent. */
export async function startQuietProxy(target: string) {
  const said = new Map<Link, string>();
  const muted = new Set<Link>();
  const proxy = await startTcpProxy(
    () => targetOf(target),
    (link) => {
      const { near, far } = link;
      said.set(link, '');
      near.on('data', (part) => {
        said.set(link, (said.get(link) + part.toString('latin1')).slice(0, 20_000));
        if (!muted.has(link)) far.write(part);
      });
      far.on('data', (part) => muted.has(link) || near.write(part));
    },
  );
  const linksWith = (words: RegExp) => [...said].filter(([, text]) => words.test(text)).map(([link]) => link);
  return {
    url: through(proxy, target),
    stop: proxy.stop,
    mute: (words: RegExp) => {
      const found = linksWith(words).filter((link) => !muted.has(link));
      for (const link of found) {
        muted.add(link);
        for (const socket of [link.near, link.far]) socket.removeAllListeners('close');
      }
      return found.length;
    },
    seen: (words: RegExp) => linksWith(words).length,
  };
}

export type QuietProxy = Awaited<ReturnType<typeof startQuietProxy>>;
