import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { disconnect } from '#db/client.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { databaseUrl, takeOwnerUrl } from '#platform/config/database.ts';
import { authSecret } from '#platform/config/identity.ts';
import { findNextProgram } from '#platform/config/next-internals.ts';
import { childEnv, startedByNpm } from '#platform/config/processes.ts';
import { adopt, env, loadSettings } from '#platform/config/settings.ts';
import { makeDemoToken } from '#server/accounts/sign-in/demo-link.ts';
import { prepareDatabase } from '#server/runtime/database.ts';
import { demoOwner, openDemo } from '#server/runtime/demo.ts';
import { Shutdown } from '#server/runtime/shutdown.ts';
import { explainStart } from '#server/runtime/start-error.ts';
import { describeDemo, startTrial } from '#server/runtime/trial.ts';

const shutdown = new Shutdown();
if (startedByNpm()) shutdown.runWithParent();
process.on('SIGTERM', () => void shutdown.run(0, 'ended'));
process.on('SIGINT', () => void shutdown.run(0, 'ended'));
start().catch(async (error: unknown) => {
  process.stderr.write(`${explainStart(error)}\n`);
  await shutdown.run(1, 'ended');
});

// `npm run dev`: starts `next dev`, which reloads changed pages, on the database of the trial with
// its demo company. DATABASE_URL chooses another database. The scheduled jobs do not run.
async function start(): Promise<void> {
  loadSettings();
  const settings = env();
  const dataDir = resolve(settings.DATA_DIR);
  const givenOwnerUrl = takeOwnerUrl();
  const secrets = settings.trial
    ? await startTrial(dataDir, (step) => shutdown.add(step))
    : { databaseUrl: databaseUrl(), authSecret: authSecret() };
  adopt({ ...secrets, appUrl: settings.APP_URL });
  await prepareDatabase(givenOwnerUrl ?? ownerUrlOf(secrets.databaseUrl));
  if (settings.trial) {
    const demo = await openDemo(dataDir);
    console.log(describeDemo(settings.APP_URL, demo, await makeDemoToken(demoOwner)));
  }
  await disconnect(1);
  runNext(settings.HOST, settings.PORT);
}

function runNext(host: string, port: number): void {
  const args = [findNextProgram(), 'dev', '--hostname', host, '--port', String(port)];
  const child = spawn(process.execPath, args, {
    env: childEnv({ NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' }),
    stdio: 'inherit',
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  shutdown.setServing(async () => {
    child.kill('SIGTERM');
    await closed;
  });
  child.once('close', (code) => void shutdown.run(code ?? 0, 'ended'));
}
