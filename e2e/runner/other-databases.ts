import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureSessionLimits } from '#db/driver/connect.ts';
import { type Cluster, startCluster } from '#db/embedded/embedded.ts';
import { lacks } from '#e2e/support/programs.ts';
import { type Pooler, startPooler } from '#e2e/support/proxies/pooler.ts';
import { createDatabase } from '#e2e/support/service/databases.ts';
import { asPooled } from '#platform/config/database.ts';

type Elsewhere = {
  variables: Record<'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'ADMIN_DATABASE_URL', string>;
  stop: () => Promise<void>;
};

/** Starts the oldest supported PostgreSQL behind PgBouncer; prints what is missing and does without it. */
export async function startOtherDatabase(): Promise<Elsewhere> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-elsewhere-'));
  const server = await startCluster(folder, { binaries: await findOldest() });
  const { url } = await createDatabase(server.adminUrl, 'notif_test');
  const pooler = lacks('pgbouncer') ? undefined : await startBounded(url);
  return {
    variables: {
      DATABASE_URL: pooler?.urlOf(url) ?? url,
      DATABASE_DIRECT_URL: pooler ? url : '',
      ADMIN_DATABASE_URL: server.adminUrl,
    },
    stop: async () => {
      await pooler?.stop();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function startBounded(url: string): Promise<Pooler> {
  await ensureSessionLimits(asPooled(url));
  return startPooler([url]);
}

/** The programs of the oldest PostgreSQL; undefined where npm has none for the platform, an error in CI. */
async function findOldest(): Promise<Cluster['binaries']> {
  const found = (await import('postgres-16').catch(() => undefined)) as Cluster['binaries'];
  if (!found && process.env.CI) throw new Error('PostgreSQL 16 is missing: npm has no package for this platform.');
  if (!found) process.stdout.write('This run uses the newest PostgreSQL only: npm has no PostgreSQL 16 here.\n');
  return found;
}
