import { type Sql, withConnection } from '#db/driver/connect.ts';
import { parseDatabaseUrl } from '#platform/config/database.ts';

// A connection limit that applies to the service, how many are `used`, and how many of those by no process of it.
type ConnectionLimit = {
  of: 'server' | 'database' | 'role';
  allowed: number;
  used: number;
  usedByOthers: number;
};

/** The limits, and the number of other processes of this service that have connections. */
export type ConnectionCapacity = { limits: ConnectionLimit[]; otherProcesses: number };

/** Reads the capacity with the role of a pool. Background workers and replication do not count for the limits. */
export async function readCapacity(sql: Sql): Promise<ConnectionCapacity> {
  const rows = await sql<(ConnectionLimit & { otherProcesses: number })[]>`
    with sessions as (
      select datname, usename, application_name,
        usename = current_user and split_part(application_name, ' ', 1)
          = split_part(current_setting('application_name'), ' ', 1) as is_own
      from pg_stat_activity where datid is not null and usesysid is not null and leader_pid is null
    ), limits (of, allowed, counts_database, counts_role) as (
      select 'server', current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int - current_setting('reserved_connections')::int,
        false, false
      union all
      select 'database', datconnlimit, true, false from pg_database
      where datname = current_database() and datconnlimit >= 0
      union all
      select 'role', rolconnlimit, false, true from pg_roles
      where rolname = current_user and rolconnlimit >= 0 and not rolsuper
    )
    select l.of, l.allowed, count(*)::int as used, (count(*) filter (where not s.is_own))::int as "usedByOthers",
      (select count(distinct application_name)::int from sessions
        where is_own and application_name <> current_setting('application_name')) as "otherProcesses"
    from limits l left join sessions s
      on (not l.counts_database or s.datname = current_database()) and (not l.counts_role or s.usename = current_user)
    group by l.of, l.allowed`;
  const limits = rows.map(({ otherProcesses: _, ...limit }) => limit);
  return { limits, otherProcesses: rows[0]?.otherProcesses ?? 0 };
}

/** The capacity of the database at `url`; null behind a pooler, which has its own limits. */
export async function findCapacity(url: string): Promise<ConnectionCapacity | null> {
  if (parseDatabaseUrl(url).isPooled) return null;
  return withConnection(url, readCapacity);
}

/** How many connections all processes of the service may hold together. */
export const countAllowed = ({ limits }: ConnectionCapacity): number =>
  Math.min(...limits.map(({ allowed, usedByOthers }) => allowed - usedByOthers));

/** How many connections the service may open now, before one is refused. */
export const countFree = ({ limits }: ConnectionCapacity): number =>
  Math.max(0, Math.min(...limits.map(({ allowed, used }) => allowed - used)));

/** What names the database of a pool, whichever role and address lead there. Null where it cannot be read. */
export async function readDatabaseId(sql: Sql): Promise<string | null> {
  const rows = await sql<{ id: string }[]>`
    select system_identifier || '/' || oid as id from pg_control_system(), pg_database where datname = current_database()`
    // A provider may forbid the function.
    .catch(() => []);
  return rows[0]?.id ?? null;
}

// A setting with which a crash could lose a send that was answered with 200. `isTrusted`: the operator says that the
// provider's storage is durable without it.
type UnsafeSetting = { name: string; setting: string; isTrusted: boolean };

/** What ensures durability: the checked settings, or also the provider's storage. */
export type Durability = 'checked' | 'provider';

// Storage that is replicated below PostgreSQL is durable without these. Without `synchronous_commit`,
// PostgreSQL answers before it stores anything.
const storageSettings = ['fsync', 'full_page_writes'];

/** Lists the unsafe settings of the sessions of a pool (contract §7). */
export async function listUnsafeSettings(sql: Sql, durability: Durability): Promise<UnsafeSetting[]> {
  const unsafe = await sql<{ name: string; setting: string }[]>`
    select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`;
  return unsafe.map((row) => ({
    ...row,
    isTrusted: durability === 'provider' && storageSettings.includes(row.name),
  }));
}

export const findUnsafeSettings = (url: string, durability: Durability): Promise<UnsafeSetting[]> =>
  withConnection(url, (sql) => listUnsafeSettings(sql, durability));

/** Says why a database with this setting is rejected, and what to do. */
export function describeUnsafe({ name, setting }: UnsafeSetting): { problem: string; cure: string } {
  const provider = storageSettings.includes(name)
    ? ' Only if it belongs to a provider whose storage is durable without it, such as Neon, set DATABASE_DURABILITY=provider.'
    : '';
  return {
    problem: `the database runs with ${name} = ${setting} and could lose accepted notifications in a crash`,
    cure: `set it to on (ALTER SYSTEM SET ${name} = on, then SELECT pg_reload_conf()).${provider}`,
  };
}
