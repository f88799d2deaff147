import { join, resolve } from 'node:path';
import { disconnect } from '#db/client.ts';
import { surviveLostConnections } from '#db/driver/lost-connections.ts';
import { migrateDatabase } from '#db/migrate.ts';
import { forgetOwners } from '#db/service-role.ts';
import { pagesFolder } from '#platform/config/build.ts';
import { takeOwnerUrl } from '#platform/config/database.ts';
import { adopt, env, findOpenSettingsFile, loadSettings, takeFlags } from '#platform/config/settings.ts';
import { log, surviveFullLog } from '#platform/log/log.ts';
import { hasOwner, setupCode } from '#server/companies/companies.ts';
import { shareBuild, startRenewals } from '#server/front/build-files.ts';
import { buildIfNeeded } from '#server/runtime/build.ts';
import { fitConnections } from '#server/runtime/connections.ts';
import { createHttpService } from '#server/runtime/http-service.ts';
import { findInstallation, migrateBy, ownInstallation } from '#server/runtime/installation.ts';
import { Shutdown } from '#server/runtime/shutdown.ts';
import { openDatabase, printDemo } from '#server/runtime/trial.ts';
import { WorkerPool } from '#server/runtime/worker-pool.ts';

const shutdown = new Shutdown();
const builtPages = resolve(import.meta.dirname, '..', '..', pagesFolder());

surviveFullLog();
surviveLostConnections();
shutdown.begin(start);

/** Starts the service. It takes the port first, so that early requests get 503. */
async function start(): Promise<void> {
  loadSettings();
  takeFlags(process.argv.slice(2));
  const settings = env();
  const openFile = findOpenSettingsFile();
  if (openFile)
    log().warn({ file: openFile }, 'everyone on this machine can read the settings file, which holds secrets');
  // Before workers are forked: they must not inherit it.
  const givenOwnerUrl = takeOwnerUrl();

  const hasMetrics = settings.METRICS_PORT !== undefined;
  // Imported on demand: without METRICS_PORT the library is not loaded.
  const workerMetrics = hasMetrics
    ? await (await import('#server/runtime/metrics-exporter.ts')).openMetricsExporter()
    : undefined;
  const pool = settings.PROCESSES > 1 ? new WorkerPool(settings.PROCESSES, workerMetrics) : undefined;
  const service = pool ?? createHttpService();
  shutdown.setServing((idle) => service.stop(idle));
  // From a terminal, SIGHUP means that the terminal was closed. From a service manager it requests
  // new processes.
  const isReloadable = pool !== undefined && !process.stdout.isTTY;
  process.on('SIGHUP', isReloadable ? () => {} : () => void shutdown.run(0, 'ended'));
  const port = await service.listen();

  const appUrl = settings.PORT === 0 ? settings.APP_URL.replace(/:0$/, `:${port}`) : settings.APP_URL;
  const onStop = shutdown.add.bind(shutdown);
  const { secrets, ownerUrl, publish } = await openDatabase(appUrl, givenOwnerUrl, onStop);
  const connections = await fitConnections();
  adopt({ ...secrets, appUrl, connections });
  forgetOwners();
  shutdown.add(() => disconnect(1));

  await buildIfNeeded(() => console.log('Building the pages, once; this takes up to one minute.'));
  // Before a page of this build can ask another machine for its scripts.
  await shareBuild(builtPages);
  startRenewals(builtPages);
  await service.serve({ ...secrets, appUrl, connections, port });
  await publish?.(appUrl);
  if (pool && isReloadable) reloadOnHangUp(pool, ownerUrl);

  if (settings.trial) await printDemo(appUrl);
  else await printReady(appUrl);
  if (isReloadable)
    console.log(`${settings.PROCESSES} processes serve; \`kill -HUP ${process.pid}\` replaces them one after another.`);
}

// Migrates and builds in this process, which answers no requests, then replaces the workers.
function reloadOnHangUp(pool: WorkerPool, ownerUrl: string | undefined): void {
  process.on('SIGHUP', () => {
    if (shutdown.hasBegun) return;
    pool.replaceAll(async () => {
      const installation = findInstallation();
      if (installation === ownInstallation) await migrateDatabase(ownerUrl);
      else await migrateBy(installation, ownerUrl);
      await buildIfNeeded();
      const pages = join(installation.root, pagesFolder());
      await shareBuild(pages);
      if (installation !== ownInstallation) startRenewals(pages);
      return installation;
    });
  });
}

async function printReady(appUrl: string): Promise<void> {
  console.log(`Staff Notification API is running at ${appUrl}`);
  // The service serves already: a database that is lost at this moment must not end it.
  if (!(await hasOwner().catch(() => true)))
    console.log(
      `No company exists yet. Create the first one at ${appUrl}/setup with the code ${setupCode()}\n` +
        `or open ${appUrl}/setup#${setupCode()}`,
    );
}
