import postgres from 'postgres';
import { childEnv } from '#platform/config/processes.ts';

/** Opens a superuser's connection to the database under test. The caller ends it. */
export function openAdmin(): postgres.Sql {
  const { ADMIN_DATABASE_URL, DATABASE_URL } = childEnv();
  const { pathname } = new URL(DATABASE_URL ?? '');
  return postgres(new URL(pathname, ADMIN_DATABASE_URL).href, { max: 1, onnotice: () => {} });
}
