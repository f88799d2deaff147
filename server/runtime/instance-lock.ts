import { randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/**
 * Locks a data folder for this process, or returns `'taken'` when another running process holds it.
 * The holder answers with its random name on a loopback port. The lock of a killed process is
 * recognised because nothing answers there.
 */
export async function lockDataDir(dataDir: string): Promise<{ release: () => Promise<void> } | 'taken'> {
  const file = join(dataDir, 'instance.json');
  const holder = (await readFile(file, 'utf8').then(JSON.parse, () => null)) as { port: number; name: string } | null;
  if (holder && (await askName(holder.port)) === holder.name) return 'taken';
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
    release: async () => {
      server.close();
      await rm(file, { force: true });
    },
  };
}

function askName(port: number): Promise<string> {
  return new Promise((resolve) => {
    let name = '';
    const socket = connect({ port, host: '127.0.0.1', timeout: 1000 });
    socket.setEncoding('utf8').on('data', (part) => (name += part));
    socket
      .once('close', () => resolve(name))
      .once('timeout', () => socket.destroy())
      .on('error', () => {});
  });
}
