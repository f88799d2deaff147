import { createHash } from 'node:crypto';
import postgres from 'postgres';
import { advisoryLocks } from '#db/advisory-locks.ts';

const ownerRole = 'notif_owner';
const serviceRole = 'notif_service';

// Module state: the owner's password must not be in the environment, where child processes see it.
const owners = new Map<string, string>();

/** The schema owner's connection string, for a database that `giveToService` prepared here. */
export const ownerUrlOf = (url: string): string | undefined => owners.get(url);

/** Removes the owners' connection strings from memory. A serving process must not have them. */
export const forgetOwners = (): void => owners.clear();

/**
 * Prepares a database, also of another role, for two: the owner of database and tables (`ownerUrlOf`), and the
 * service's, which owns nothing and whose connection string it returns. A second call changes nothing.
 */
export async function giveToService(adminUrl: string): Promise<string> {
  const urlOf = (role: string) =>
    Object.assign(new URL(adminUrl), { username: role, password: passwordOf(adminUrl, role) }).href;
  // Roles belong to the whole server, so the lock is taken in a database that all processes share.
  await asAdmin(adminUrl.replace(/\/[^/]*$/, '/postgres'), async (sql) => {
    await sql`select pg_advisory_lock(${advisoryLocks.roles})`;
    for (const role of [ownerRole, serviceRole]) await sql.unsafe(prepareRole(role, passwordOf(adminUrl, role)));
  });
  await asAdmin(adminUrl, async (sql) => {
    await sql`alter database ${sql(new URL(adminUrl).pathname.slice(1))} owner to ${sql(ownerRole)}`;
    await sql.unsafe(handOver);
  });
  owners.set(urlOf(serviceRole), urlOf(ownerRole));
  return urlOf(serviceRole);
}

// Derived from the superuser's password, so that it need not be stored.
const passwordOf = (adminUrl: string, role: string) =>
  createHash('sha256')
    .update(`${role}\n${new URL(adminUrl).password}`)
    .digest('hex');

// Without the time limits of the service's sessions: it may wait long for the lock.
async function asAdmin(url: string, work: (sql: postgres.Sql) => Promise<void>): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  await work(sql).finally(() => sql.end({ timeout: 5 }));
}

const prepareRole = (role: string, password: string) => `do $$ begin
  if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;
  alter role ${role} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}';
end $$`;

// `reassign owned` cannot be used: the first superuser owns the system catalogs too.
const handOver = `do $$ declare thing record; begin
  for thing in select nspname as name from pg_namespace where nspname in ('public', 'migrations') loop
    execute format('alter schema %I owner to ${ownerRole}', thing.name);
  end loop;
  for thing in select c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'migrations') and c.relkind in ('r', 'p') and pg_get_userbyid(c.relowner) <> '${ownerRole}' loop
    execute format('alter table %s owner to ${ownerRole}', thing.name);
  end loop;
  for thing in select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'migrations') and pg_get_userbyid(p.proowner) <> '${ownerRole}' loop
    execute format('alter function %s owner to ${ownerRole}', thing.name);
  end loop;
end $$`;
