import { createHash } from 'node:crypto';
import postgres from 'postgres';

const role = 'notif_service';

/**
 * Gives a database of ours to the role the service runs as, and answers that role's connection string. It owns the database and
 * everything of ours in it but is no superuser, so that what it may not do (change the audit log) is refused to it. A database
 * that the superuser owned until now is handed over; doing it again changes nothing.
 */
export async function giveToService(adminUrl: string): Promise<string> {
  const url = new URL(adminUrl);
  const password = createHash('sha256').update(`${role}\n${url.password}`).digest('hex');
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(prepareRole(password));
    await sql`alter database ${sql(url.pathname.slice(1))} owner to ${sql(role)}`;
    await sql.unsafe(handOver);
  } finally {
    await sql.end({ timeout: 5 });
  }
  url.username = role;
  url.password = password;
  return url.href;
}

const prepareRole = (password: string) => `do $$ begin
  if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;
  alter role ${role} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}';
end $$`;

// Not `reassign owned`: what the first superuser owns includes the system itself. Privileges that were revoked stay so.
const handOver = `do $$ declare thing record; begin
  for thing in select nspname as name from pg_namespace where nspname in ('public', 'drizzle') loop
    execute format('alter schema %I owner to ${role}', thing.name);
  end loop;
  for thing in select c.oid::regclass as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'drizzle') and c.relkind = 'r' and pg_get_userbyid(c.relowner) <> '${role}' loop
    execute format('alter table %s owner to ${role}', thing.name);
  end loop;
  for thing in select p.oid::regprocedure as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname in ('public', 'drizzle') and pg_get_userbyid(p.proowner) <> '${role}' loop
    execute format('alter function %s owner to ${role}', thing.name);
  end loop;
end $$`;
