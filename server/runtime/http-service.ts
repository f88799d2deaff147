import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pagesFolder } from '#platform/config/build.ts';
import { serveWithBuiltConfig } from '#platform/config/next-internals.ts';
import { setServiceStarting } from '#platform/config/processes.ts';
import { env } from '#platform/config/settings.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { log } from '#platform/log/log.ts';
import { closeStreams, stopFeed } from '#server/feed/lifecycle.ts';
import { readBuildId } from '#server/front/build-files.ts';
import { type Idle, prepareDrain } from '#server/front/connections.ts';
import { createFront, type Front, type Pages } from '#server/front/front.ts';
import { groupOf, queuePages, refuseBusy } from '#server/front/page-queue.ts';
import { openAssets } from '#server/front/static-files.ts';
import { stopJobs } from '#server/jobs/jobs.ts';
import { flushCallLog } from '#server/keys/call-log.ts';
import { listen } from '#server/runtime/listen.ts';

/**
 * What answers requests. `listen` takes HOST and PORT and returns the port; until `serve` has
 * resolved, requests get 503. Both throw `StartError`. `stop` lets running requests finish, for
 * 6.5 s at most, and may be called at any time.
 */
export type HttpService = {
  listen: () => Promise<number>;
  serve: (port: number) => Promise<void>;
  stop: (idle: Idle) => Promise<void>;
};

// Most clients that keep a connection send again within this time, and are told that it closes.
const maxDrainMs = 6500;

export function createHttpService(): HttpService {
  const front = createFront();
  const drain = prepareDrain(front.server, front.connections);
  let pages: (Pages & { close: () => Promise<void> }) | undefined;
  setServiceStarting(true);
  return {
    listen: () => listen(front.server),
    serve: async (port) => {
      pages = await openPages(front, port);
      front.serve(pages);
      setServiceStarting(false);
    },
    stop: async (idle) => {
      closeStreams();
      await Promise.all([drain(idle, maxDrainMs), stopJobs()]);
      const closePages = async () => pages?.close();
      for (const step of [stopFeed, closePages, flushCallLog])
        await step().catch((error: unknown) => log().error({ err: error }, 'a step of the stop failed'));
    },
  };
}

const root = join(import.meta.dirname, '..', '..');

async function openPages(
  { server, slowReaders }: Front,
  port: number,
): Promise<Pages & { close: () => Promise<void> }> {
  // Under Node's own module loader, the default export differs from what Next's types say.
  const next = createRequire(import.meta.url)('next') as typeof import('next').default;
  await serveWithBuiltConfig(pagesFolder());
  // Errors of pages go to the log in instrumentation.ts, so Next need not print them.
  const app = next({ dev: false, quiet: true, dir: root, hostname: env().HOST, port, httpServer: server });
  await app.prepare();
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
