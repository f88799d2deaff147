import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pagesFolder } from '#platform/config/build.ts';
import { serveWithBuiltConfig } from '#platform/config/next-internals.ts';
import { setServiceStarting } from '#platform/config/processes.ts';
import { env } from '#platform/config/settings.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { log } from '#platform/log/log.ts';
import { closeStreams, stopFeed } from '#server/feed/stream.ts';
import { openAssets, readBuildId } from '#server/front/build-files.ts';
import { drain, type Idle } from '#server/front/connections.ts';
import { createFront, type Front, type Pages } from '#server/front/front.ts';
import { markStopping } from '#server/front/health.ts';
import { groupOf, queuePages, refuseBusy } from '#server/front/page-queue.ts';
import { stopJobs } from '#server/jobs/jobs.ts';
import { flushCallLog } from '#server/keys/call-log.ts';
import { listen } from '#server/runtime/bind-server.ts';

// Most clients that keep a connection send again within this time, and are told that it closes.
const maxDrainMs = 5000;
// Caddy and Traefik repeat no POST that meets a process which takes no connections any more. They ask for the health
// at least once a second.
const noticeMs = 1500;

type OpenPages = Pages & { close: () => Promise<void> };

/**
 * Makes what answers requests. `listen` takes HOST and PORT and returns the port; requests get 503 until `serve` has
 * resolved. Both throw `StartError`. `stop` makes the readiness check say `stopping`; where idle connections are left,
 * it waits 1.5 s for proxies to read that. Then running requests have 5 s to finish. It may be called at any time.
 */
export function createHttpService() {
  const front = createFront();
  let pages: OpenPages | undefined;
  setServiceStarting(true);
  return {
    listen: () => listen(front.server),
    serve: async (port: number) => {
      pages = await openPages(front, port);
      front.serve(pages);
      setServiceStarting(false);
    },
    stop: async (idle: Idle) => {
      markStopping();
      if (pages && idle === 'left') await sleep(noticeMs);
      closeStreams();
      await Promise.all([drain(front.server, front.connections, idle, maxDrainMs), stopJobs()]);
      const closePages = async () => pages?.close();
      for (const step of [stopFeed, closePages, flushCallLog])
        await step().catch((error: unknown) => log().error({ err: error }, 'a step of the stop failed'));
    },
  };
}

const root = join(import.meta.dirname, '..', '..');

async function openPages({ server, slowReaders }: Front, port: number): Promise<OpenPages> {
  // Under Node's own module loader, the default export differs from what Next's types say.
  const next = createRequire(import.meta.url)('next') as typeof import('next').default;
  await serveWithBuiltConfig(pagesFolder());
  // Errors of pages go to the log in instrumentation.ts, so Next need not print them.
  const app = next({ dev: false, quiet: true, dir: root, hostname: env().HOST, port, httpServer: server });
  // Next prints how long its configuration took, whatever `quiet` says.
  const print = console.log;
  console.log = () => {};
  await app.prepare().finally(() => (console.log = print));
  const answerAsset = await openAssets(join(root, pagesFolder(), 'static'));
  const answerPage = queuePages(app.getRequestHandler(), slowReaders);
  return {
    build: { id: await readBuildId(join(root, pagesFolder())), version: serviceVersion() },
    answer: async (request, response) => {
      if (!(await slowReaders.waitForRoom(groupOf(request)))) return refuseBusy(request, response);
      if (!(await answerAsset(request, response))) await answerPage(request, response);
    },
    close: () => app.close(),
  };
}
