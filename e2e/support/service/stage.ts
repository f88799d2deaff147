import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { disconnect } from '#db/client.ts';
import { startEmbedded } from '#db/embedded/embedded.ts';
import { createDatabase } from '#e2e/support/service/databases.ts';
import { endLeftServices, freePort, startOrExplain } from '#e2e/support/service/service.ts';
import { applyStartSettings } from '#platform/config/settings.ts';

/** AUTH_SECRET of all services of a benchmark. */
export const benchSecret = 'a secret of the bench, and of nothing else';

const settingsOf = (url: string) => ({
  DATABASE_URL: url,
  AUTH_SECRET: benchSecret,
  HOST: '127.0.0.1',
  NODE_ENV: 'production',
});

/** Starts a PostgreSQL with default durability, for production services. `quick` asks for fewer rounds and less data. */
export async function startStage(quick: boolean) {
  const folder = await mkdtemp(join(tmpdir(), 'notif-bench-'));
  const database = await startEmbedded(folder);
  const { adminUrl } = database;
  let made = 0;
  return {
    quick,
    adminUrl,
    /** Returns a service's environment variables for a database, without port and address. */
    settingsOf,
    /** Creates a database with the schema; `url` is the service's role, `adminUrl` a superuser's. */
    createDatabase: () => createDatabase(adminUrl, `bench_${++made}`),
    /** Starts a production service and waits until it is ready. */
    startFront: async (url: string, more: Record<string, string> = {}) => {
      const port = String(await freePort());
      return startOrExplain({ ...settingsOf(url), PORT: port, APP_URL: `http://127.0.0.1:${port}`, ...more });
    },
    end: async () => {
      await disconnect();
      await endLeftServices();
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Stage = Awaited<ReturnType<typeof startStage>>;

/** Reads PostgreSQL's version and durability settings for the report. */
export async function durabilityOf(adminUrl: string): Promise<Record<string, string>> {
  const sql = postgres(adminUrl, { max: 1 });
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'shared_buffers'];
  const rows = await sql<{ name: string; value: string }[]>`
    select 'PostgreSQL' as name, current_setting('server_version') as value
    union all select name, current_setting(name) from unnest(${names}::text[]) name`;
  await sql.end();
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** Makes the domain's functions in this process use a database. */
export async function enterDatabase(url: string): Promise<void> {
  await disconnect();
  applyStartSettings({ databaseUrl: url, authSecret: benchSecret, appUrl: 'http://127.0.0.1' });
}
