import { spawn } from 'node:child_process';
import { disconnect } from '#db/client.ts';
import { takeOwnerUrl } from '#platform/config/database.ts';
import { findNextProgram } from '#platform/config/next-internals.ts';
import { childEnv } from '#platform/config/processes.ts';
import { env, loadSettings } from '#platform/config/settings.ts';
import { Shutdown } from '#server/runtime/shutdown.ts';
import { openDatabase, printDemo } from '#server/runtime/trial.ts';

const shutdown = new Shutdown();
shutdown.begin(start);

// `npm run dev`: starts `next dev`, which reloads changed pages, on DATABASE_URL or the database of the
// trial with its demo company. The jobs keep the code with which they started.
async function start(): Promise<void> {
  loadSettings();
  const { trial, APP_URL, HOST, PORT } = env();
  await openDatabase(APP_URL, takeOwnerUrl(), shutdown.add.bind(shutdown));
  if (trial) await printDemo(APP_URL);
  await disconnect(1);
  runNext(HOST, PORT);
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
