import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ifAbsent } from '#platform/absent-file.ts';

/** How a command reaches a running trial: its database, as the service's role, and its address. */
export type Reach = { databaseUrl: string; appUrl: string };

type Holder = { port: number; name: string; reach?: Reach };

type DataDirLock = { publish: (reach: Reach) => Promise<void>; release: () => Promise<void> };

const fileIn = (dataDir: string) => join(dataDir, 'instance.json');

async function findHolder(dataDir: string): Promise<Holder | null> {
  const holder = (await readFile(fileIn(dataDir), 'utf8').then(JSON.parse, ifAbsent(null))) as Holder | null;
  return holder && (await askName(holder.port)) === holder.name ? holder : null;
}

/** The trial that holds a data folder, or null when none is ready. */
export async function findRunningTrial(dataDir: string): Promise<Reach | null> {
  return (await findHolder(dataDir))?.reach ?? null;
}

/**
 * Locks a data folder for this process; `'taken'`: another running one holds it. The holder answers with its random
 * name on a loopback port, so the lock of a killed process is recognised.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock | 'taken'> {
  const file = fileIn(dataDir);
  if (await findHolder(dataDir)) return 'taken';
  await rm(file, { force: true });
  const name = randomUUID();
  const server = createServer((socket) => socket.on('error', () => {}).end(name));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  try {
    await writeFile(file, JSON.stringify({ port, name }), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    server.close();
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'taken';
    throw error;
  }
  server.unref();
  return {
    publish: async (reach) => {
      await writeFile(`${file}.new`, JSON.stringify({ port, name, reach }), { mode: 0o600 });
      await rename(`${file}.new`, file);
    },
    release: async () => {
      server.close();
      await rm(file, { force: true });
    },
  };
}

// Empty when nothing answers.
function askName(port: number): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', timeout: 1000 });
  return text(socket.once('timeout', () => socket.destroy())).catch(() => '');
}
