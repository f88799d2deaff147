import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy in front of a database; `url` leads through it. `setDelay` delays every answer by
 * some ms. After `hold(text)`, a connection that sends this text gets no more answers; `hold(null)`
 * stops that for new ones. `held` counts such connections, `cutHeld` closes them.
 */
export type DatabaseProxy = {
  url: string;
  setDelay: (ms: number) => void;
  hold: (text: string | null) => void;
  held: () => number;
  cutHeld: () => void;
  stop: () => Promise<void>;
};

/** Starts a proxy in front of the database at `target`. */
export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const held = new Set<Socket>();
  let delayMs = 0;
  let marker: string | null = null;
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ host: hostname, port: Number(port), noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        for (const one of [client, upstream]) {
          one.destroy();
          sockets.delete(one);
        }
        held.delete(client);
      });
    }
    client.on('data', (bytes) => {
      if (marker !== null && bytes.includes(marker)) held.add(client);
      upstream.write(bytes);
    });
    let before = Promise.resolve();
    upstream.on('data', (bytes) => {
      if (held.has(client)) return;
      const due = performance.now() + delayMs;
      before = before.then(async () => {
        const left = due - performance.now();
        if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
        client.write(bytes);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  const bound = server.address();
  url.port = String(typeof bound === 'object' && bound ? bound.port : 0);
  return {
    url: url.href,
    setDelay: (ms) => {
      delayMs = ms;
    },
    hold: (text) => {
      marker = text;
    },
    held: () => held.size,
    cutHeld: () => {
      for (const socket of held) socket.destroy();
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
