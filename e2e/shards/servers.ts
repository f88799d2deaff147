import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, startCluster } from '#db/embedded/embedded.ts';
import { ownerUrlOf } from '#db/service-role.ts';
import { createDatabase } from '#e2e/runner/environment.ts';

/** Two PostgreSQL servers with an empty database each. `variables` lead a service to them. */
export type Servers = {
  urls: string[];
  adminUrls: string[];
  variables: Record<'DATABASE_URL' | 'DATABASE_OWNER_URL', string>;
  stopServer: (server: number) => Promise<void>;
  startServer: (server: number) => Promise<void>;
  stop: () => Promise<void>;
};

export async function startServers(): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-servers-'));
  const start = (server: number, port?: number) =>
    startCluster(join(folder, String(server)), { port, settings: ['max_connections=200'] });
  const running: Omit<Embedded, 'url'>[] = await Promise.all([start(0), start(1)]);
  const adminUrls = running.map(({ adminUrl }) => adminUrl.replace(/\/postgres$/, '/notif'));
  const urls: string[] = [];
  for (const { adminUrl } of running) urls.push(await createDatabase(adminUrl, 'notif'));
  return {
    ...{ urls, adminUrls },
    variables: { DATABASE_URL: urls.join(' '), DATABASE_OWNER_URL: urls.map(ownerUrlOf).join(' ') },
    stopServer: async (server) => running[server]?.stop(),
    startServer: async (server) => {
      running[server] = await start(server, Number(new URL(urls[server] ?? '').port));
    },
    stop: async () => {
      for (const server of running) await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
