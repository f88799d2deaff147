import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { ensureSessionLimits } from '#db/driver/session-limits.ts';
import { type Cluster, startCluster } from '#db/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { giveToService } from '#db/service-role.ts';
import { type Pooler, startPooler } from '#e2e/fixtures/pooler.ts';
import { lacks } from '#harness/programs.ts';
import { asPooled } from '#server/database-url.ts';

/** A kind of database: the oldest PostgreSQL or the newest, and whether PgBouncer is in front. */
export type Kind = {
  name: string;
  oldest: boolean;
  pooler: 'none' | 'with a direct address' | 'without a direct address';
};

/** The kinds that `npm test -- databases` runs, one difference each. */
export const kinds: Kind[] = [
  { name: 'PostgreSQL 16', oldest: true, pooler: 'none' },
  { name: 'PgBouncer', oldest: false, pooler: 'with a direct address' },
  { name: 'PgBouncer without a direct address', oldest: false, pooler: 'without a direct address' },
];

/** All differences in one, for the ordinary run. */
export const everyday: Kind = { name: 'PostgreSQL 16 behind PgBouncer', oldest: true, pooler: 'with a direct address' };

type Elsewhere = {
  variables: Record<'DATABASE_URL' | 'DATABASE_DIRECT_URL' | 'ADMIN_DATABASE_URL', string>;
  stop: () => Promise<void>;
};

/**
 * Starts a database of this kind with the newest schema. Does without PgBouncer or the old release
 * where they are missing, and prints so.
 */
export async function startDatabase({ oldest, pooler: wanted }: Kind): Promise<Elsewhere> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-elsewhere-'));
  const server = await startCluster(folder, { binaries: oldest ? await findOldest() : undefined });
  const sql = postgres(server.adminUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe('create database notif_test');
  await sql.end();
  const url = await giveToService(server.adminUrl.replace(/\/postgres$/, '/notif_test'));
  await migrate(url);
  const pooler = wanted === 'none' || lacks('pgbouncer') ? undefined : await startBounded(url);
  return {
    variables: {
      DATABASE_URL: pooler?.urlOf(url) ?? url,
      DATABASE_DIRECT_URL: wanted === 'with a direct address' && pooler ? url : '',
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

/**
 * The programs of the oldest supported PostgreSQL. Undefined where npm has none for the platform;
 * throws then in CI.
 */
async function findOldest(): Promise<Cluster['binaries']> {
  const found = (await import('postgres-16').catch(() => undefined)) as Cluster['binaries'];
  if (!found && process.env.CI) throw new Error('PostgreSQL 16 is missing: npm has no package for this platform.');
  if (!found) process.stdout.write('This run uses the newest PostgreSQL only: npm has no PostgreSQL 16 here.\n');
  return found;
}
