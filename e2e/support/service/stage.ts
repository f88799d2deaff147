import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { disconnect } from '#db/client.ts';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { createDatabase } from '#e2e/support/service/databases.ts';
import { freePort, type Service, startService } from '#e2e/support/service/service.ts';
import { applyStartSettings } from '#platform/config/settings.ts';

/** A PostgreSQL with default durability, and production services. `quick` asks for fewer rounds and less data. */
export type Stage = {
  quick: boolean;
  adminUrl: string;
  /** Creates a database with the schema; `url` is the service's role, `adminUrl` a superuser's. */
  createDatabase: () => Promise<{ url: string; adminUrl: string }>;
  /** Returns a service's environment variables for a database, without port and address. */
  settingsOf: (databaseUrl: string) => Record<string, string>;
  startFront: (databaseUrl: string, variables?: Record<string, string>) => Promise<Service>;
};

export const benchSecret = 'a secret of the bench, and of nothing else';

const production = { AUTH_SECRET: benchSecret, HOST: '127.0.0.1', NODE_ENV: 'production' };
const settingsOf = (url: string) => ({ DATABASE_URL: url, ...production });

/** Creates a stage, runs `use` and removes the stage, also after an error. */
export async function withStage(quick: boolean, use: (stage: Stage) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-bench-'));
  const database = await startEmbedded(folder);
  const running: Service[] = [];
  let made = 0;
  const startFront = async (url: string, more: Record<string, string> = {}) => {
    const port = String(await freePort());
    const appUrl = `http://127.0.0.1:${port}`;
    const service = await startService({ ...settingsOf(url), PORT: port, APP_URL: appUrl, ...more });
    if (service.process.exitCode !== null) throw new Error(`a service did not start:\n${service.output()}`);
    running.push(service);
    return service;
  };
  try {
    const { adminUrl } = database;
    const create = () => createDatabase(adminUrl, `bench_${++made}`);
    await use({ quick, adminUrl, createDatabase: create, settingsOf, startFront });
  } finally {
    await disconnect();
    for (const service of running) await service.stop();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

export async function durabilityOf(adminUrl: string): Promise<Record<string, string>> {
  const sql = postgres(adminUrl, { max: 1 });
  const settings: Record<string, string> = {};
  for (const name of ['server_version', 'fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers']) {
    const [row] = await sql.unsafe(`show ${name}`);
    settings[name === 'server_version' ? 'PostgreSQL' : name] = String(row?.[name]);
  }
  await sql.end();
  return settings;
}

/** Makes the domain's functions in this process use a database. */
export async function enterDatabase(url: string): Promise<void> {
  await disconnect();
  applyStartSettings({ databaseUrl: url, authSecret: benchSecret, appUrl: 'http://127.0.0.1' });
}
