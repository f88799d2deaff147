import { join, resolve } from 'node:path';
import { disconnect } from '#db/client.ts';
import { surviveLostConnections } from '#db/driver/lost-connections.ts';
import { migrateServers } from '#db/migrate.ts';
import { followPlaces, stopFollowingPlaces } from '#db/places.ts';
import { forgetOwners, ownerUrlOf } from '#db/service-role.ts';
import { pagesFolder } from '#platform/config/build.ts';
import { databaseUrl, takeOwnerUrl } from '#platform/config/database.ts';
import { authSecret } from '#platform/config/identity.ts';
import { startedByNpm } from '#platform/config/processes.ts';
import { adopt, env, findOpenSettingsFile, loadSettings, takeFlags } from '#platform/config/settings.ts';
import { log, surviveFullLog } from '#platform/log/log.ts';
import { makeDemoToken } from '#server/accounts/sign-in/demo-link.ts';
import { hasOwner, setupCode } from '#server/companies/companies.ts';
import { shareBuild, startRenewals } from '#server/front/build-files.ts';
import { startHourlyJobs } from '#server/jobs/hourly-jobs.ts';
import { startAlarmPushes, stopAlarmPushes } from '#server/push/alarm-pushes.ts';
import { buildIfNeeded } from '#server/runtime/build.ts';
import { fitConnections } from '#server/runtime/connections.ts';
import { prepareDatabase } from '#server/runtime/database.ts';
import { demoOwner, openDemo } from '#server/runtime/demo.ts';
import { createHttpService } from '#server/runtime/http-service.ts';
import { findInstallation, migrateBy, ownInstallation } from '#server/runtime/installation.ts';
import { Shutdown } from '#server/runtime/shutdown.ts';
import { explainStart } from '#server/runtime/start-error.ts';
import { describeDemo, startTrial } from '#server/runtime/trial.ts';
import { WorkerPool } from '#server/runtime/worker-pool.ts';

const shutdown = new Shutdown();
const builtPages = resolve(import.meta.dirname, '..', '..', pagesFolder());

surviveFullLog();
surviveLostConnections();
if (startedByNpm()) shutdown.runWithParent();
process.on('SIGTERM', () => void shutdown.run(0, 'left'));
// A person waits at the terminal, so idle connections are closed at once.
process.on('SIGINT', () => void shutdown.run(0, 'ended'));
start().catch(async (error: unknown) => {
  console.error(explainStart(error));
  await shutdown.run(1, 'ended');
});

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

  const workerMetrics = settings.METRICS_PORT === undefined ? undefined : await openMetrics();
  const pool = settings.PROCESSES > 1 ? new WorkerPool(settings.PROCESSES, workerMetrics) : undefined;
  const service = pool ?? createHttpService();
  shutdown.setServing(async (idle) => {
    await Promise.all([service.stop(idle), stopAlarmPushes()]);
  });
  // From a terminal, SIGHUP means that the terminal was closed. From a service manager it requests
  // new processes.
  const isReloadable = pool !== undefined && !process.stdout.isTTY;
  process.on('SIGHUP', isReloadable ? () => {} : () => void shutdown.run(0, 'ended'));
  const port = await service.listen();

  const appUrl = settings.PORT === 0 ? settings.APP_URL.replace(/:0$/, `:${port}`) : settings.APP_URL;
  const dataDir = resolve(settings.DATA_DIR);
  const trial = settings.trial ? await startTrial(dataDir, (step) => shutdown.add(step)) : undefined;
  const secrets = trial
    ? { databaseUrl: trial.databaseUrl, authSecret: trial.authSecret }
    : { databaseUrl: databaseUrl(), authSecret: authSecret() };
  adopt({ ...secrets, appUrl });
  const ownerUrl = givenOwnerUrl ?? ownerUrlOf(secrets.databaseUrl);
  await prepareDatabase(ownerUrl);
  const connections = await fitConnections();
  adopt({ ...secrets, appUrl, connections });
  forgetOwners();
  await followPlaces();
  shutdown.add(() => stopFollowingPlaces().then(() => disconnect(1)));

  await buildIfNeeded(() => console.log('Building the pages, once; this takes up to one minute.'));
  // Before a page of this build can ask another machine for its scripts.
  await shareBuild(builtPages);
  startRenewals(builtPages);
  await service.serve({ ...secrets, appUrl, connections, port });
  startHourlyJobs();
  startAlarmPushes();
  await trial?.publish(appUrl);
  if (pool && isReloadable) reloadOnHangUp(pool, ownerUrl);

  if (settings.trial) console.log(describeDemo(appUrl, await openDemo(dataDir), await makeDemoToken(demoOwner)));
  else await printReady(appUrl);
  if (isReloadable)
    console.log(`${settings.PROCESSES} processes serve; \`kill -HUP ${process.pid}\` replaces them one after another.`);
}

// Imported on demand: without METRICS_PORT the library is not loaded.
async function openMetrics() {
  const { openMetricsExporter } = await import('#server/runtime/metrics-exporter.ts');
  return openMetricsExporter();
}

// Migrates and builds in this process, which answers no requests, then replaces the workers.
function reloadOnHangUp(pool: WorkerPool, ownerUrl: string | undefined): void {
  process.on('SIGHUP', () => {
    if (shutdown.hasBegun) return;
    pool.replaceAll(async () => {
      const installation = findInstallation();
      if (installation === ownInstallation) await migrateServers(ownerUrl);
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
