import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { disconnect } from '#db/client.ts';
import { pagesFolder } from '#platform/config/build.ts';
import { serveWithBuiltConfig } from '#platform/config/next-internals.ts';
import { setServiceStarting } from '#platform/config/processes.ts';
import { type Adopted, adopt, env } from '#platform/config/settings.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { log } from '#platform/log/log.ts';
import { closeStreams, stopFeed } from '#server/feed/lifecycle.ts';
import { findOtherBuilds, readBuildId } from '#server/front/build-files.ts';
import { type Idle, prepareDrain } from '#server/front/connections.ts';
import { createFront, type Front, type Pages } from '#server/front/front.ts';
import { keepTexts } from '#server/front/kept-texts.ts';
import { groupOf, queuePages, refuseBusy } from '#server/front/page-queue.ts';
import { openAssets } from '#server/front/static-files.ts';
import { stopJobs } from '#server/jobs/jobs.ts';
import { flushCallLog } from '#server/keys/call-log.ts';
import { listen } from '#server/runtime/listen.ts';

/** What the start found out and every serving process needs, with the port. */
export type ServeSettings = Adopted & { port: number };

/**
 * What answers requests: this process, or a pool of workers. `listen` takes the port and returns
 * it; until `serve` has resolved, requests get 503. Both throw `StartError`. `stop` lets running
 * requests finish, for 6.5 s at most, and may be called at any time.
 */
export type HttpService = {
  listen: () => Promise<number>;
  serve: (settings: ServeSettings) => Promise<void>;
  stop: (idle: Idle) => Promise<void>;
};

// Node closes idle keep-alive connections within 6 s, so clients see no abrupt end.
const maxDrainMs = 6500;

/** Serves in this process, which listens, or takes the connections that another one accepted. */
export function createHttpService(): HttpService & { accept: (connection: Socket) => void } {
  const front = createFront();
  const drain = prepareDrain(front.server, front.connections);
  let pages: (Pages & { close: () => Promise<void> }) | undefined;
  let hasAccepted = false;
  let hasSettings = false;
  setServiceStarting(true);
  return {
    listen: () => listen(front.server),
    accept: (connection) => {
      // On `listening` node:http starts its checks for slow headers and bodies.
      if (!hasAccepted) front.server.emit('listening');
      hasAccepted = true;
      connection.allowHalfOpen = true;
      front.server.emit('connection', connection);
    },
    serve: async (settings) => {
      adopt(settings);
      hasSettings = true;
      pages = await openPages(front, settings.port);
      front.serve(pages);
      setServiceStarting(false);
    },
    stop: async (idle) => {
      closeStreams();
      await Promise.all([drain(idle, maxDrainMs), stopJobs()]);
      if (!hasSettings) return;
      const closePages = async () => pages?.close();
      const endDatabase = () => disconnect(1);
      for (const step of [stopFeed, closePages, flushCallLog, endDatabase])
        await step().catch((error: unknown) => log().error({ err: error }, 'a step of the stop failed'));
    },
  };
}

const root = join(import.meta.dirname, '..', '..');

async function openPages({ server, room }: Front, port: number): Promise<Pages & { close: () => Promise<void> }> {
  // Under Node's own module loader, the default export differs from what Next's types say.
  const next = createRequire(import.meta.url)('next') as typeof import('next').default;
  await serveWithBuiltConfig(pagesFolder());
  // Errors of pages go to the log in instrumentation.ts, so Next need not print them.
  const app = next({ dev: false, quiet: true, dir: root, hostname: env().HOST, port, httpServer: server });
  await app.prepare();
  const knownBuilds = new Set<string>();
  const answerAsset = await openAssets(join(root, pagesFolder(), 'static'), () => findOtherBuilds(knownBuilds));
  const answerPage = keepTexts(queuePages(app.getRequestHandler(), room));
  return {
    build: { id: await readBuildId(join(root, pagesFolder())), version: serviceVersion() },
    answer: async (request, response) => {
      if (!(await room.wait(groupOf(request)))) return refuseBusy(request, response);
      if (!(await answerAsset(request, response))) await answerPage(request, response);
    },
    close: () => app.close(),
  };
}
