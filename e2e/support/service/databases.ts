import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { disconnect } from '#db/client.ts';
import { migrate } from '#db/migrate.ts';
import { giveToService, ownerUrlOf } from '#db/service-role.ts';
import { type Service, startService } from '#e2e/support/service/service.ts';
import { childEnv } from '#platform/config/processes.ts';
import { adopt } from '#platform/config/settings.ts';

/** Opens a superuser's connection to the database under test. The caller ends it. */
export function openAdmin(): postgres.Sql {
  const { ADMIN_DATABASE_URL, DATABASE_URL } = childEnv();
  const { pathname } = new URL(DATABASE_URL ?? '');
  return postgres(new URL(pathname, ADMIN_DATABASE_URL).href, { max: 1, onnotice: () => {} });
}

/** A database of two roles on the server of the test run: the service's address, and the owner's. */
export type FreshDatabase = { name: string; url: string; ownerUrl: string; admin: postgres.Sql };

/**
 * Calls `use` with an empty database for one test, and deletes it. With `isMigrated`, it has the
 * newest schema, and the domain functions of this test file work on it.
 */
export async function withFreshDatabase(
  { isMigrated }: { isMigrated: boolean },
  use: (database: FreshDatabase) => Promise<void>,
): Promise<void> {
  const adminUrl = process.env.ADMIN_DATABASE_URL ?? '';
  const name = `fresh_${randomUUID().replaceAll('-', '')}`;
  const server = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`create database ${name}`);
  const url = await giveToService(adminUrl.replace(/\/postgres$/, `/${name}`));
  const admin = postgres(adminUrl.replace(/\/postgres$/, `/${name}`), { max: 1, onnotice: () => {} });
  const before = { databaseUrl: process.env.DATABASE_URL ?? '', authSecret: process.env.AUTH_SECRET ?? '' };
  try {
    if (isMigrated) {
      await migrate(url);
      await disconnect();
      adopt({ databaseUrl: url, authSecret: 'f'.repeat(40), appUrl: 'http://127.0.0.1' });
    }
    await use({ name, url, ownerUrl: ownerUrlOf(url) ?? '', admin });
  } finally {
    if (isMigrated) {
      await disconnect();
      adopt({ ...before, appUrl: process.env.SERVICE_URL ?? '' });
    }
    await admin.end();
    await server.unsafe(`drop database if exists ${name} with (force)`);
    await server.end();
  }
}

/**
 * Starts a service on an empty database for one test. `admin` is a superuser's connection to it.
 */
export async function withFreshService(
  variables: Record<string, string>,
  use: (service: Service, database: { name: string; url: string; admin: postgres.Sql }) => Promise<void>,
): Promise<void> {
  const adminUrl = process.env.ADMIN_DATABASE_URL ?? '';
  const name = `setup_${randomUUID().replaceAll('-', '')}`;
  const admin = postgres(adminUrl, { max: 1 });
  await admin.unsafe(`create database ${name}`);
  const url = await giveToService(adminUrl.replace(/\/postgres$/, `/${name}`));
  const service = await startService(
    { DATABASE_URL: url, AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1', ...variables },
    undefined,
    /with the code|running at/,
  );
  try {
    await use(service, { name, url, admin });
  } finally {
    await service.stop();
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  }
}
