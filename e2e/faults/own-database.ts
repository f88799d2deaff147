import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { type Embedded, startEmbedded } from '#db/embedded/embedded.ts';
import { childrenOf } from '#e2e/support/running.ts';
import { freePort } from '#e2e/support/service/service.ts';

/** Starts a PostgreSQL that a test may kill, stop at once, pause and start again at the same `url`. `admin` is a superuser's. */
export async function startOwnDatabase() {
  const folder = await mkdtemp(join(tmpdir(), 'notif-own-'));
  const port = await freePort();
  let running: Embedded = await startEmbedded(folder, port);
  let isDown = false;
  const { url, adminUrl } = running;
  const admin = postgres(adminUrl, { max: 2, onnotice: () => {} });
  const end = async () => {
    isDown = true;
    await running.stop();
  };
  const signalAll = (signal: NodeJS.Signals) => {
    // The parent first, so that it starts no new children.
    for (const pid of [running.pid, ...childrenOf(running.pid)]) signalOne(pid, signal);
  };
  return {
    url,
    adminUrl,
    admin,
    kill: async () => {
      signalAll('SIGSTOP');
      signalAll('SIGKILL');
      await end();
    },
    stop: end,
    stopImmediately: async () => {
      signalOne(running.pid, 'SIGQUIT');
      await end();
    },
    start: async () => {
      if (isDown) running = await startEmbedded(folder, port);
      isDown = false;
    },
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    remove: async () => {
      signalAll('SIGCONT');
      await admin.end();
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type OwnDatabase = Awaited<ReturnType<typeof startOwnDatabase>>;

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    if (pid > 0) process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
