import { connect, type Sql } from '#db/driver/connect.ts';

/**
 * A database setting with which a crash could lose a send that was answered with 200, and its
 * value. `isTrusted`: the operator says that the provider's storage is durable without it.
 */
export type UnsafeSetting = { name: string; setting: string; isTrusted: boolean };

/** Who vouches for the durability: the settings that this service checks, or the provider too. */
export type Durability = 'checked' | 'provider';

/**
 * The settings that only say how PostgreSQL writes to its own disk. Storage that is replicated
 * below PostgreSQL is durable without them. `synchronous_commit` is none of them: off, PostgreSQL
 * answers before anything is stored anywhere.
 */
export const settingsOfStorage = ['fsync', 'full_page_writes'];

/** Lists such settings as the sessions of a pool get them (contract §7). */
export async function listUnsafeSettings(sql: Sql, durability: Durability): Promise<UnsafeSetting[]> {
  const unsafe = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`;
  return unsafe.map((one) => ({
    ...one,
    isTrusted: durability === 'provider' && settingsOfStorage.includes(one.name),
  }));
}

/** Lists such settings of the database at `url`, as our sessions get them. */
export async function findUnsafeSettings(url: string, durability: Durability): Promise<UnsafeSetting[]> {
  const sql = connect(url, 1);
  try {
    return await listUnsafeSettings(sql, durability);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The sentence that refuses a database because of a setting, and what to do. */
export function describeUnsafe({ name, setting }: UnsafeSetting): { problem: string; cure: string } {
  const provider = settingsOfStorage.includes(name)
    ? ' Only if it belongs to a provider whose storage is durable without it, such as Neon, set DATABASE_DURABILITY=provider.'
    : '';
  return {
    problem: `the database runs with ${name} = ${setting} and could lose accepted notifications in a crash`,
    cure: `set it to on (ALTER SYSTEM SET ${name} = on, then SELECT pg_reload_conf()).${provider}`,
  };
}
