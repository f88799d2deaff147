import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { disconnect } from '#db/client.ts';
import { surviveLostConnections } from '#db/driver/connect.ts';
import { forgetOwners } from '#db/service-role.ts';
import { pagesFolder } from '#platform/config/build.ts';
import { EnvError } from '#platform/config/checks.ts';
import { takeOwnerUrl } from '#platform/config/database.ts';
import { serveWithBuiltConfig } from '#platform/config/next-internals.ts';
import { setServiceStarting } from '#platform/config/processes.ts';
import { applyStartSettings, env, findOpenSettingsFile, loadSettings } from '#platform/config/settings.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { log, surviveFullLog } from '#platform/log/log.ts';
import { listMissingIssuers } from '#server/accounts/sign-in/only-provider.ts';
import { hasOwner, setupCode } from '#server/companies/companies.ts';
import { closeStreams, stopFeed } from '#server/feed/stream.ts';
import { openAssets, readBuildId, shareBuild } from '#server/front/build-files.ts';
import { drain, type Idle } from '#server/front/connections.ts';
import { createFront, type Front, type Pages } from '#server/front/front.ts';
import { markStopping } from '#server/front/health.ts';
import { groupOf, queuePages, refuseBusy } from '#server/front/page-queue.ts';
import { stopJobs } from '#server/jobs/jobs.ts';
import { flushCallLog } from '#server/keys/call-log.ts';
import { listen, requireFreePort } from '#server/runtime/bind-server.ts';
import { buildIfNeeded, requireBuild } from '#server/runtime/build-pages.ts';
import { fitConnections } from '#server/runtime/fit-connections.ts';
import { Shutdown } from '#server/runtime/shutdown.ts';
import { openDatabase, printDemo } from '#server/runtime/trial.ts';

const root = join(import.meta.dirname, '..', '..');
const shutdown = new Shutdown();

/**
 * Starts the service. It takes connections when it can serve them: a proxy would prefer an idle process that cannot.
 * Only a trial, and a process whose database is away, answers 503 meanwhile.
 */
async function start(): Promise<void> {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) throw new EnvError(`${argument}: the start takes no arguments.`);
  loadSettings();
  const settings = env();
  const openFile = findOpenSettingsFile();
  if (openFile)
    log().warn({ file: openFile }, 'everyone on this machine can read the settings file, which holds secrets');
  const ownerUrl = takeOwnerUrl();
  if (!settings.trial) await requireBuild();

  // Imported on demand: without METRICS_PORT the library is not loaded.
  if (settings.METRICS_PORT !== undefined) await (await import('#server/runtime/metrics-server.ts')).openMetrics();
  const service = createHttpService();
  shutdown.setServing((idle) => service.stop(idle));
  const isEarly = settings.trial || settings.PORT === 0;
  let listening: Promise<number> | undefined;
  const listen = () => (listening ??= service.listen());
  if (!isEarly) await requireFreePort();
  const port = isEarly ? await listen() : settings.PORT;

  const appUrl = settings.PORT === 0 ? settings.APP_URL.replace(/:0$/, `:${port}`) : settings.APP_URL;
  const { secrets, publish } = await openDatabase(appUrl, ownerUrl, shutdown.add.bind(shutdown), listen);
  applyStartSettings({ ...secrets, appUrl, connections: await fitConnections() });
  forgetOwners();
  shutdown.add(() => disconnect(1));

  if (settings.trial) await buildIfNeeded(() => console.log('Building the pages, once; this takes up to one minute.'));
  // Before a page of this build can ask another process for its scripts.
  await shareBuild(join(root, pagesFolder()));
  await service.serve(port);
  await listen();
  await publish?.(appUrl);

  if (settings.trial) await printDemo(appUrl);
  else await printReady(appUrl);
}

async function printReady(appUrl: string): Promise<void> {
  console.log(`Staff Notification API is running at ${appUrl}`);
  // The service serves already: a database that is lost at this moment must not end it.
  for (const missing of await listMissingIssuers().catch(() => []))
    log().warn(missing, 'companies sign in with a provider only that OIDC_PROVIDERS does not have');
  if (!(await hasOwner().catch(() => true)))
    console.log(
      `No company exists yet. Create the first one at ${appUrl}/setup with the code ${setupCode()}\n` +
        `or open ${appUrl}/setup#${setupCode()}`,
    );
}

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
function createHttpService() {
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

surviveFullLog();
surviveLostConnections();
shutdown.begin(start);
