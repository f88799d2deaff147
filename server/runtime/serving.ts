import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { disconnect } from '#db/client.ts';
import { adopt, env, pagesFolder } from '#server/env.ts';
import { closeStreams, stopFeed } from '#server/feed/lifecycle.ts';
import { type Idle, prepareDrain } from '#server/front/drain.ts';
import { createFront, type Front } from '#server/front/front.ts';
import { openAssets } from '#server/front/static-files.ts';
import { flushCallLog } from '#server/keys/call-log.ts';
import { listen } from '#server/runtime/listen.ts';

/** What is found out once, and every process that serves must know. `port` is the one that is listened on. */
export type Found = { databaseUrl: string; authSecret: string; appUrl: string; port: number };

/**
 * What answers requests: this process, or several. `listen` takes the port and answers which it is; until `serve` the interface
 * answers 503 there. `stop` lets everything that runs finish, for some 7 s, and may be called at any time. Both others throw
 * `StartError`.
 */
export type Serving = {
  listen: () => Promise<number>;
  serve: (found: Found) => Promise<void>;
  stop: (idle: Idle) => Promise<void>;
};

/** How long requests may go on, and idle connections be left, once a process is to stop; Node's keep-alive ends within 6 s. */
const longestDrainMs = 6500;

/** Serves in this very process: what it listens for itself, or connections that another process took and hands over. */
export function serveHere(): Serving & { take: (connection: Socket) => void } {
  const front = createFront();
  const drain = prepareDrain(front.server, front.connections);
  let pages: Pages | undefined;
  let taking = false;
  let adopted = false;
  return {
    listen: () => listen(front.server),
    take: (connection) => {
      // As http does for what it accepts itself: from the moment it listens it watches over slow headers and bodies.
      if (!taking) front.server.emit('listening');
      taking = true;
      connection.allowHalfOpen = true;
      front.server.emit('connection', connection);
    },
    serve: async (found) => {
      adopt(found);
      adopted = true;
      pages = await openPages(front, found.port);
      front.serve(pages.handle);
    },
    stop: async (idle) => {
      closeStreams();
      await drain(idle, longestDrainMs);
      if (!adopted) return;
      for (const step of [stopFeed, async () => pages?.close(), flushCallLog, () => disconnect(1)])
        await step().catch((error: unknown) => console.error(error));
    },
  };
}

type Pages = { handle: Parameters<Front['serve']>[0]; close: () => Promise<void> };

const root = join(import.meta.dirname, '..', '..');

async function openPages({ server }: Front, port: number): Promise<Pages> {
  // Next's types and its CommonJS entry disagree about the default export under Node's own loader.
  const next = createRequire(import.meta.url)('next') as typeof import('next').default;
  const app = next({
    dev: false,
    dir: root,
    hostname: env().HOST,
    port,
    httpServer: server,
  });
  await app.prepare();
  const answerAsset = await openAssets(join(root, pagesFolder(), 'static'));
  const answerPage = app.getRequestHandler();
  return {
    handle: async (request, response) => {
      if (!(await answerAsset(request, response))) await answerPage(request, response);
    },
    close: () => app.close(),
  };
}
