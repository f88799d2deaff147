import { resolve } from 'node:path';
import { disconnect } from '#db/client.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { surviveLostConnections } from '#db/driver/lost-connections.ts';
import { ensureSessionLimits } from '#db/driver/session-limits.ts';
import { findUnsafeSetting } from '#db/durability.ts';
import { migrate } from '#db/migrate.ts';
import { mayChangeSchema } from '#db/privileges.ts';
import { forgetOwners, ownerUrlOf } from '#db/service-role.ts';
import { hasOwner } from '#server/companies/companies.ts';
import { setupCode } from '#server/companies/setup-code.ts';
import { hostsOf, readAddress } from '#server/database-url.ts';
import {
  adopt,
  authSecret,
  databaseUrl,
  directDatabaseUrl,
  env,
  startedByNpm,
  takeFlags,
  takeOwnerUrl,
} from '#server/env.ts';
import type { Idle } from '#server/front/drain.ts';
import { startHourlyJobs } from '#server/jobs/hourly-jobs.ts';
import { log, surviveFullLog } from '#server/log.ts';
import { buildIfNeeded } from '#server/runtime/build.ts';
import { openDemo } from '#server/runtime/demo.ts';
import type { Exporter } from '#server/runtime/metrics/exporter.ts';
import { Processes } from '#server/runtime/processes.ts';
import { type Serving, serveHere } from '#server/runtime/serving.ts';
import { explainStart, StartError } from '#server/runtime/start-error.ts';
import { describeDemo, startTrial } from '#server/runtime/trial.ts';

const longestStopMs = 9500;

const stopSteps: (() => Promise<unknown>)[] = [];
const say = (text: string) => process.stdout.write(`${text}\n`);
let serving: Serving | undefined;
let processes: Processes | undefined;
let ownerUrl: string | undefined;

async function start(): Promise<void> {
  takeFlags(process.argv.slice(2));
  const settings = env();
  // Before the first of several processes is started, which must not have it.
  ownerUrl = takeOwnerUrl();
  const exporter = settings.METRICS_PORT === undefined ? undefined : await openMetrics();
  if (settings.PROCESSES > 1) processes = new Processes(settings.PROCESSES, exporter?.follow);
  serving = processes ?? serveHere();
  const port = await serving.listen();
  const appUrl = settings.PORT === 0 ? settings.APP_URL.replace(/:0$/, `:${port}`) : settings.APP_URL;
  const dataDir = resolve(settings.DATA_DIR);
  const given = settings.trial
    ? await startTrial(dataDir, (step) => stopSteps.push(step))
    : { databaseUrl: databaseUrl(), authSecret: authSecret() };
  adopt({ ...given, appUrl });
  ownerUrl ??= ownerUrlOf(given.databaseUrl);
  await migrateWhenReachable();
  await requireDurability();
  await sayLimits();
  await leaveOwner();
  stopSteps.push(() => disconnect(1));
  if (exporter) stopSteps.push(exporter.stop);
  await buildIfNeeded(() => say('Building the pages; this takes half a minute to two minutes and happens once…'));
  await serving.serve({ ...given, appUrl, port });
  startHourlyJobs();
  if (settings.trial) say(describeDemo(appUrl, await openDemo(dataDir)));
  else await saySetup(appUrl);
  if (processes && !process.stdout.isTTY)
    say(`${settings.PROCESSES} processes serve; \`kill -HUP ${process.pid}\` replaces them one after another.`);
}

// The library is not even loaded unless somebody measures.
async function openMetrics(): Promise<Exporter> {
  const { openExporter } = await import('#server/runtime/metrics/exporter.ts');
  return openExporter();
}

async function migrateWhenReachable(): Promise<void> {
  const direct = directDatabaseUrl();
  const ofDirect = direct === databaseUrl() ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL';
  await whenReachable(ownerUrl ? 'DATABASE_OWNER_URL' : ofDirect, ownerUrl ?? direct, () =>
    migrate(direct, { ownerUrl, serviceUrl: databaseUrl() }),
  );
}

// A database that comes up after us is waited for; one that refuses us is a setting that is wrong.
async function whenReachable<Value>(variable: string, url: string, ask: () => Promise<Value>): Promise<Value> {
  for (let said = ''; ; ) {
    try {
      return await ask();
    } catch (error) {
      if (isPoolerRefusal(error))
        throw new StartError(
          `${variable}: leads to a connection pooler; say so by adding ?pgbouncer=true to it, ${pastPooler(variable)}.`,
        );
      if (!isDatabaseUnavailable(error))
        throw new StartError(`${variable}: ${error instanceof Error ? error.message : error}.`);
      const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (reason !== said) say(`Waiting for the database at ${hostsOf(url)} (${reason}); Ctrl-C ends the wait.`);
      said = reason;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function requireDurability(): Promise<void> {
  const unsafe = await whenReachable('DATABASE_URL', databaseUrl(), () => findUnsafeSetting(databaseUrl()));
  if (unsafe)
    throw new StartError(
      `DATABASE_URL: the database runs with ${unsafe.name} = ${unsafe.setting} and could lose answered notifications in a crash; set it to on (ALTER SYSTEM SET ${unsafe.name} = on, then SELECT pg_reload_conf()).`,
    );
}

const pastPooler = (variable: string) =>
  variable === 'DATABASE_OWNER_URL'
    ? 'or give the address past the pooler'
    : 'and set DATABASE_DIRECT_URL to the address past the pooler';

// PgBouncer's words for settings that it does not pass on; its other errors of this code pass.
function isPoolerRefusal(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('unsupported startup parameter');
}

async function sayLimits(): Promise<void> {
  const limits = await ensureSessionLimits(databaseUrl());
  if (limits === 'given')
    say(
      'DATABASE_URL: sessions of the pooler had no time limits. The role has them now; sessions that the pooler holds already get them when it renews them (PgBouncer: RECONNECT).',
    );
  else if (limits === 'ignored')
    say(
      'DATABASE_URL: its sessions have no time limits, so something between ignores ours; if that is a connection pooler, say so by adding ?pgbouncer=true.',
    );
  else if (limits !== 'hold')
    say(`DATABASE_URL: sessions of the pooler have no time limits, and the role may not set them (${limits.refused}).`);
  if (readAddress(directDatabaseUrl()).isPooled)
    say('DATABASE_DIRECT_URL: is not set; behind a pooler news reach the portals within some 2 s instead of at once.');
}

// Several processes are migrated anew when they are replaced, by the first one, which answers no request.
async function leaveOwner(): Promise<void> {
  forgetOwners();
  if (!processes) ownerUrl = undefined;
  if ((await mayChangeSchema(databaseUrl())) || (await mayChangeSchema(directDatabaseUrl())))
    log().warn('the database role of the service owns the schema: only a trigger keeps it from changing the audit log');
}

async function saySetup(appUrl: string): Promise<void> {
  say(`Staff Notification API is running at ${appUrl}`);
  if (!(await hasOwner()))
    say(`No company exists yet. Set the first one up at ${appUrl}/setup with the code ${setupCode()}`);
}

let stopping: Promise<void> | undefined;

// First what serves, then the rest in the reverse of the order in which it was started; ends by force when a step hangs.
function stop(exitCode: number, idle: Idle): Promise<void> {
  stopping ??= (async () => {
    setTimeout(() => process.exit(1), longestStopMs).unref();
    for (const step of [async () => serving?.stop(idle), ...stopSteps.reverse()])
      await step().catch((error: unknown) => console.error(error));
    process.exit(exitCode);
  })();
  return stopping;
}

// From a terminal it means that the terminal is gone; a service manager means new processes.
function hangUp(): void {
  if (!processes || process.stdout.isTTY) return void stop(0, 'ended');
  if (stopping) return;
  const prepare = async () => {
    await migrate(directDatabaseUrl(), { ownerUrl, serviceUrl: databaseUrl() });
    await buildIfNeeded();
  };
  void processes.replaceAll(prepare);
}

// npm passes a signal to the shell between us, which dies of it without telling us.
function stopWithParent(): void {
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && void stop(0, 'left'), 250).unref();
}

surviveFullLog();
surviveLostConnections();
if (startedByNpm()) stopWithParent();
process.on('SIGTERM', () => void stop(0, 'left'));
// Whoever presses Ctrl-C waits for it.
process.on('SIGINT', () => void stop(0, 'ended'));
process.on('SIGHUP', hangUp);
start().catch(async (error: unknown) => {
  process.stderr.write(`${explainStart(error)}\n`);
  await stop(1, 'ended');
});
