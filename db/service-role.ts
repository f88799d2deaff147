import { createHash } from 'node:crypto';
import postgres from 'postgres';

const ownerRole = 'notif_owner';
const serviceRole = 'notif_service';

const owners = new Map<string, string>();

/** The connection string of the schema's owner, for a database that this process gave to the service; undefined for any other. */
export const ownerUrlOf = (url: string): string | undefined => owners.get(url);

/** Forgets the connection strings of all owners: what serves must not be able to change the schema. */
export const forgetOwners = (): void => owners.clear();

/**
 * Prepares a database of ours for two roles, and answers the connection string of the one the service runs as: it owns nothing and
 * may do what `privileges.ts` lists, once `migrate` has run. The other owns the database and everything of ours in it
 * (`ownerUrlOf`). Neither is a superuser. A database that somebody else owned until now is handed over; doing it again changes nothing.
 */
export async function giveToService(adminUrl: string): Promise<string> {
  const passwordOf = (role: string) =>
    createHash('sha256')
      .update(`${role}\n${new URL(adminUrl).password}`)
      .digest('hex');
  const urlOf = (role: string) => Object.assign(new URL(adminUrl), { username: role, password: passwordOf(role) }).href;
  await prepareRoles(adminUrl, passwordOf);
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    await sql`alter database ${sql(new URL(adminUrl).pathname.slice(1))} owner to ${sql(ownerRole)}`;
    await sql.unsafe(handOver);
  } finally {
    await sql.end({ timeout: 5 });
  }
  owners.set(urlOf(serviceRole), urlOf(ownerRole));
  return urlOf(serviceRole);
}

const lockId = 7_236_026;

// Roles belong to the whole server: whoever prepares another database of it waits, also from another process.
async function prepareRoles(adminUrl: string, passwordOf: (role: string) => string): Promise<void> {
  const sql = postgres(adminUrl.replace(/\/[^/]*$/, '/postgres'), { max: 1, onnotice: () => {} });
  try {
    await sql`select pg_advisory_lock(${lockId})`;
    for (const role of [ownerRole, serviceRole]) await sql.unsafe(prepareRole(role, passwordOf(role)));
  } finally {
    await sql.end({ timeout: 5 });
  }
}

const prepareRole = (role: string, password: string) => `do $$ begin
  if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;
  alter role ${role} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}';
end $$`;

// Not `reassign owned`: what the first superuser owns includes the system itself. Privileges that were revoked stay so.
const handOver = `do $$ declare thing record; begin
  for thing in select nspname as name from pg_namespace where nspname in ('public', 'drizzle') loop
    execute format('alter schema %I owner to ${ownerRole}', thing.name);
  end loop;
  for thing in select c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'drizzle') and c.relkind = 'r' and pg_get_userbyid(c.relowner) <> '${ownerRole}' loop
    execute format('alter table %s owner to ${ownerRole}', thing.name);
  end loop;
  for thing in select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'drizzle') and pg_get_userbyid(p.proowner) <> '${ownerRole}' loop
    execute format('alter function %s owner to ${ownerRole}', thing.name);
  end loop;
end $$`;
