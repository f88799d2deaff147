import { type Sql, withConnection } from '#db/driver/connect.ts';

// A database setting with which a crash could lose a send that was answered with 200, and its
// value. `isTrusted`: the operator says that the provider's storage is durable without it.
type UnsafeSetting = { name: string; setting: string; isTrusted: boolean };

/** What ensures durability: the checked settings, or also the provider's storage. */
export type Durability = 'checked' | 'provider';

// Storage that is replicated below PostgreSQL is durable without these. Without `synchronous_commit`,
// PostgreSQL answers before it stores anything.
const settingsOfStorage = ['fsync', 'full_page_writes'];

/** Lists the unsafe settings of the sessions of a pool (contract §7). */
export async function listUnsafeSettings(sql: Sql, durability: Durability): Promise<UnsafeSetting[]> {
  const unsafe = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`;
  return unsafe.map((row) => ({
    ...row,
    isTrusted: durability === 'provider' && settingsOfStorage.includes(row.name),
  }));
}

export const findUnsafeSettings = (url: string, durability: Durability): Promise<UnsafeSetting[]> =>
  withConnection(url, (sql) => listUnsafeSettings(sql, durability));

/** Says why a database with this setting is rejected, and what to do. */
export function describeUnsafe({ name, setting }: UnsafeSetting): { problem: string; cure: string } {
  const provider = settingsOfStorage.includes(name)
    ? ' Only if it belongs to a provider whose storage is durable without it, such as Neon, set DATABASE_DURABILITY=provider.'
    : '';
  return {
    problem: `the database runs with ${name} = ${setting} and could lose accepted notifications in a crash`,
    cure: `set it to on (ALTER SYSTEM SET ${name} = on, then SELECT pg_reload_conf()).${provider}`,
  };
}
