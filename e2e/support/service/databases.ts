import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { disconnect } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { giveToService, ownerUrlOf } from '#db/service-role.ts';
import { type Service, startOrExplain } from '#e2e/support/service/service.ts';
import { childEnv } from '#platform/config/processes.ts';
import { applyStartSettings } from '#platform/config/settings.ts';

/** Opens a superuser's connection to the database under test. The caller ends it. */
export function openAdmin(): postgres.Sql {
  const { ADMIN_DATABASE_URL, DATABASE_URL } = childEnv();
  const { pathname } = new URL(DATABASE_URL ?? '');
  return postgres(new URL(pathname, ADMIN_DATABASE_URL).href, { max: 1, onnotice: () => {} });
}

// Returns a superuser's connection string.
async function createEmpty(serverUrl: string, name: string): Promise<string> {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe(`create database ${name}`);
  await sql.end();
  return serverUrl.replace(/\/postgres$/, `/${name}`);
}

/** Creates a database with the schema on a server; `url` is the service's role, `adminUrl` the superuser's. */
export async function createDatabase(serverUrl: string, name: string): Promise<{ url: string; adminUrl: string }> {
  const adminUrl = await createEmpty(serverUrl, name);
  const url = await giveToService(adminUrl);
  await migrate(url);
  return { url, adminUrl };
}

/** Makes an empty database on the server of the run, with connections of a superuser to it and to the server. */
export async function makeDatabase() {
  const serverUrl = childEnv().ADMIN_DATABASE_URL ?? '';
  const name = `fresh_${randomUUID().replaceAll('-', '')}`;
  const adminUrl = await createEmpty(serverUrl, name);
  const url = await giveToService(adminUrl);
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  const admin = postgres(adminUrl, { max: 2, onnotice: () => {} });
  const drop = async () => {
    await admin.end();
    await server.unsafe(`drop database if exists ${name} with (force)`);
    await server.end();
  };
  return { name, url, ownerUrl: ownerUrlOf(url) ?? '', adminUrl, admin, server, drop };
}

export type FreshDatabase = Awaited<ReturnType<typeof makeDatabase>>;

/** Calls `use` with a new database. With `isMigrated`, the domain functions of this test file work on it. */
export async function withFreshDatabase(
  { isMigrated }: { isMigrated: boolean },
  use: (database: FreshDatabase) => Promise<void>,
): Promise<void> {
  const database = await makeDatabase();
  const before = { databaseUrl: process.env.DATABASE_URL ?? '', authSecret: process.env.AUTH_SECRET ?? '' };
  try {
    if (isMigrated) {
      await migrate(database.url);
      await disconnect();
      applyStartSettings({ databaseUrl: database.url, authSecret: 'f'.repeat(40), appUrl: 'http://127.0.0.1' });
    }
    await use(database);
  } finally {
    if (isMigrated) {
      await disconnect();
      applyStartSettings({ ...before, appUrl: process.env.SERVICE_URL ?? '' });
    }
    await database.drop();
  }
}

export const withFreshService = (
  variables: Record<string, string>,
  use: (service: Service, database: FreshDatabase) => Promise<void>,
): Promise<void> =>
  withFreshDatabase({ isMigrated: false }, async (database) => {
    const settings = { DATABASE_URL: database.url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1', ...variables };
    const service = await startOrExplain(settings, undefined, /with the code|running at/);
    try {
      await use(service, database);
    } finally {
      await service.stop();
    }
  });
