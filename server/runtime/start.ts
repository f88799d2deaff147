import { join, resolve } from 'node:path';
import { disconnect } from '#db/client.ts';
import { surviveLostConnections } from '#db/driver/lost-connections.ts';
import { migrate } from '#db/migrate.ts';
import { forgetOwners, ownerUrlOf } from '#db/service-role.ts';
import { makeDemoToken } from '#server/accounts/demo-link.ts';
import { captureOutput } from '#server/captured-output.ts';
import { hasOwner } from '#server/companies/companies.ts';
import { setupCode } from '#server/companies/setup-code.ts';
import {
  adopt,
  authSecret,
  countStreamProcesses,
  databaseUrl,
  directDatabaseUrl,
  env,
  findOpenSettingsFile,
  loadSettings,
  pagesFolder,
  startedByNpm,
  takeFlags,
  takeOwnerUrl,
} from '#server/env.ts';
import { shareBuild, startRenewals } from '#server/front/build-files.ts';
import { startHourlyJobs } from '#server/jobs/hourly-jobs.ts';
import { log, surviveFullLog } from '#server/log.ts';
import { startAlarmPushes, stopAlarmPushes } from '#server/push/alarm-pushes.ts';
import { buildIfNeeded } from '#server/runtime/build.ts';
import { fitConnections } from '#server/runtime/connections.ts';
import { prepareDatabase } from '#server/runtime/database.ts';
import { demoOwner, openDemo } from '#server/runtime/demo.ts';
import { createHttpService } from '#server/runtime/http-service.ts';
import { findInstallation, migrateBy, ownInstallation } from '#server/runtime/installation.ts';
import { printError, printLine } from '#server/runtime/print-line.ts';
import { Shutdown } from '#server/runtime/shutdown.ts';
import { explainStart } from '#server/runtime/start-error.ts';
import { StreamProcesses } from '#server/runtime/stream-processes.ts';
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
  printError(explainStart(error));
  await shutdown.run(1, 'ended');
});

/**
 * Starts the service. It takes the port first. Requests during the start get 503 instead of a
 * refused connection.
 */
async function start(): Promise<void> {
  loadSettings();
  takeFlags(process.argv.slice(2));
  const settings = env();
  captureOutput();
  const openFile = findOpenSettingsFile();
  if (openFile)
    log().warn({ file: openFile }, 'everyone on this machine can read the settings file, which holds secrets');
  // Before workers are forked: they must not inherit it.
  const givenOwnerUrl = takeOwnerUrl();

  let streamProcesses: StreamProcesses | undefined;
  const countStarted = () => streamProcesses?.countWanted() ?? 0;
  const exporter = settings.METRICS_PORT === undefined ? undefined : await openMetrics(countStarted);
  const pool = settings.PROCESSES > 1 ? new WorkerPool(settings.PROCESSES, exporter?.follow) : undefined;
  if (countStreamProcesses() > 0) streamProcesses = new StreamProcesses(countStreamProcesses, exporter?.follow);
  const service = pool ?? createHttpService(streamProcesses);
  shutdown.setServing(async (idle) => {
    await Promise.all([service.stop(idle), stopAlarmPushes()]);
  });
  // From a terminal, SIGHUP means that the terminal was closed. A service manager asks for new
  // processes.
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
  shutdown.add(() => disconnect(1));

  await buildIfNeeded(() => printLine('Building the pages, once; this takes up to one minute.'));
  // Before a page of this build can ask another machine for its scripts.
  await shareBuild(builtPages);
  startRenewals(builtPages);
  await service.serve({ ...secrets, appUrl, connections, port });
  // A number that was given is started now; the default waits until it is needed.
  if (settings.STREAM_PROCESSES !== undefined) void streamProcesses?.start();
  startHourlyJobs();
  startAlarmPushes();
  await trial?.publish(appUrl);
  if (pool && isReloadable) reloadOnHangUp(pool, ownerUrl);

  if (settings.trial) printLine(describeDemo(appUrl, await openDemo(dataDir), await makeDemoToken(demoOwner)));
  else await printReady(appUrl);
  if (isReloadable)
    printLine(`${settings.PROCESSES} processes serve; \`kill -HUP ${process.pid}\` replaces them one after another.`);
}

// Imported on demand: without METRICS_PORT the library is not loaded.
async function openMetrics(countStarted: () => number) {
  const { openMetricsExporter } = await import('#server/runtime/metrics-exporter.ts');
  return openMetricsExporter(countStarted);
}

// Migrates and builds in this process, which answers no requests, then replaces the workers.
function reloadOnHangUp(pool: WorkerPool, ownerUrl: string | undefined): void {
  process.on('SIGHUP', () => {
    if (shutdown.hasBegun) return;
    void pool.replaceAll(async () => {
      const installation = findInstallation();
      if (installation === ownInstallation) await migrate(directDatabaseUrl(), { ownerUrl, serviceUrl: databaseUrl() });
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
  printLine(`Staff Notification API is running at ${appUrl}`);
  // The service serves already: a database that is lost at this moment must not end it.
  if (!(await hasOwner().catch(() => true)))
    printLine(
      `No company exists yet. Create the first one at ${appUrl}/setup with the code ${setupCode()}\n` +
        `or open ${appUrl}/setup#${setupCode()}`,
    );
}
