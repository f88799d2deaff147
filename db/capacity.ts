import { type Sql, withConnection } from '#db/driver/connect.ts';
import { parseDatabaseUrl } from '#platform/config/database-url.ts';

// A connection limit of the server, the database or the role that applies to the service.
// `allowed`: the maximum for ordinary roles. `used`: the open connections that count towards it.
// `usedByOthers`: those of them that are of no process of this service.
type ConnectionLimit = {
  of: 'server' | 'database' | 'role';
  allowed: number;
  used: number;
  usedByOthers: number;
};

/** The limits, and the number of other processes of this service that have connections. */
export type ConnectionCapacity = { limits: ConnectionLimit[]; otherProcesses: number };

/**
 * Reads the capacity with the role of a pool. PostgreSQL shows the name and the database of each
 * session to every role. Background workers and replication do not count for the limits.
 */
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
