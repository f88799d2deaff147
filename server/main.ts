import { resolve } from 'node:path';
import { disconnect, isDatabaseGone } from '#db/client.ts';
import { openDemo } from '#db/demo.ts';
import { findUnsafeSetting } from '#db/durability.ts';
import { migrate } from '#db/migrate.ts';
import { buildIfNeeded } from '#server/build.ts';
import { hasOwner } from '#server/companies.ts';
import type { Idle } from '#server/drain.ts';
import { adopt, authSecret, databaseUrl, env, startedByNpm, takeFlags } from '#server/env.ts';
import { keepHouse } from '#server/housekeeping.ts';
import { surviveFullLog } from '#server/log.ts';
import { Processes } from '#server/processes.ts';
import { type Serving, serveHere } from '#server/serving.ts';
import { setupCode } from '#server/setup-code.ts';
import { explainStart, StartError } from '#server/start-error.ts';
import { describeDemo, startTrial } from '#server/trial.ts';

const longestStopMs = 9500;

const stopSteps: (() => Promise<unknown>)[] = [];
const say = (text: string) => process.stdout.write(`${text}\n`);
let serving: Serving | undefined;
let processes: Processes | undefined;

async function start(): Promise<void> {
  takeFlags(process.argv.slice(2));
  const settings = env();
  if (settings.PROCESSES > 1) processes = new Processes(settings.PROCESSES);
  serving = processes ?? serveHere();
  const port = await serving.listen();
  const appUrl = settings.PORT === 0 ? settings.APP_URL.replace(/:0$/, `:${port}`) : settings.APP_URL;
  const dataDir = resolve(settings.DATA_DIR);
  const given = settings.trial
    ? await startTrial(dataDir, (step) => stopSteps.push(step))
    : { databaseUrl: databaseUrl(), authSecret: authSecret() };
  adopt({ ...given, appUrl });
  await migrateWhenReachable();
  await requireDurability();
  stopSteps.push(() => disconnect(1));
  await buildIfNeeded(() => say('Building the pages; this takes half a minute to two minutes and happens once…'));
  await serving.serve({ ...given, appUrl, port });
  keepHouse();
  if (settings.trial) say(describeDemo(appUrl, await openDemo(dataDir)));
  else await saySetup(appUrl);
  if (processes && !process.stdout.isTTY)
    say(`${settings.PROCESSES} processes serve; \`kill -HUP ${process.pid}\` replaces them one after another.`);
}

// A database that comes up after us is waited for; one that refuses us is a setting that is wrong.
async function migrateWhenReachable(): Promise<void> {
  const { host } = new URL(databaseUrl());
  for (let said = ''; ; ) {
    try {
      return await migrate(databaseUrl());
    } catch (error) {
      if (!isDatabaseGone(error))
        throw new StartError(`DATABASE_URL: ${error instanceof Error ? error.message : error}.`);
      const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
      if (reason !== said) say(`Waiting for the database at ${host} (${reason}); Ctrl-C ends the wait.`);
      said = reason;
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
}

async function requireDurability(): Promise<void> {
  const unsafe = await findUnsafeSetting(databaseUrl());
  if (unsafe)
    throw new StartError(
      `DATABASE_URL: the database runs with ${unsafe.name} = ${unsafe.setting} and could lose answered notifications in a crash; set it to on (ALTER SYSTEM SET ${unsafe.name} = on, then SELECT pg_reload_conf()).`,
    );
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
    await migrate(databaseUrl());
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
if (startedByNpm()) stopWithParent();
process.on('SIGTERM', () => void stop(0, 'left'));
// Whoever presses Ctrl-C waits for it.
process.on('SIGINT', () => void stop(0, 'ended'));
process.on('SIGHUP', hangUp);
start().catch(async (error: unknown) => {
  process.stderr.write(`${explainStart(error)}\n`);
  await stop(1, 'ended');
});
