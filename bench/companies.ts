import postgres from 'postgres';
import { benchSecret, type Caller, type CallerCounts } from '#e2e/support/service/stage.ts';
import { applyStartSettings } from '#platform/config/settings.ts';
import { encodeSessionCookie } from '#server/accounts/sessions/cookie.ts';
import { fingerprintOf, generateKey } from '#server/keys/keys.ts';

// Plain SQL: `before` compares commits, and functions of one may write columns that the other lacks.

type CompanyRow = { companyId: number; ownerId: number; employeeId: number };

/** Inserts companies with employees and keys. Returns a caller for each key; neighbours are of different companies. */
export async function insertCallers(adminUrl: string, { companies, employees, keys }: CallerCounts): Promise<Caller[]> {
  return withDatabase(adminUrl, async (sql) => {
    const rows = await sql<CompanyRow[]>`
      with made as (
        insert into companies (name, active_employees)
        select 'Perusahaan ' || n, ${employees} from generate_series(1, ${companies}) n returning id
      ), owners as (
        insert into accounts (company_id, username, name, password_hash, is_owner)
        select id, 'pemilik-' || id, 'Pemilik', 'nobody''s', true from made returning company_id, id
      ), hired as (
        insert into employees (company_id, name, role)
        select id, 'Karyawan ' || n, 'Staf' from made, generate_series(1, ${employees}) n returning company_id, id
      ), spans as (
        insert into employment (company_id, employee_id, from_no) select company_id, id, 0 from hired
      )
      select o.company_id as "companyId", o.id as "ownerId",
        (select min(h.id) from hired h where h.company_id = o.company_id) as "employeeId"
      from owners o`;
    const made = Array.from({ length: keys }, () => rows)
      .flat()
      .map((row) => ({ ...row, key: generateKey() }));
    await sql`
      insert into api_keys (company_id, name, fingerprint, created_by)
      select company_id, 'kunci ' || place, decode(fingerprint, 'hex'), owner
      from unnest(
        ${made.map(({ companyId }) => companyId)}::int[],
        ${made.map(({ ownerId }) => ownerId)}::int[],
        ${made.map(({ key }) => fingerprintOf(key).toString('hex'))}::text[]
      ) with ordinality as k (company_id, owner, fingerprint, place)`;
    return made.map(({ key, employeeId }) => ({ key, userId: employeeId }));
  });
}

/** Gives every employee of a caller's company an account and an open session. Returns the Cookie headers. */
export async function insertSessions(adminUrl: string, { userId }: Caller): Promise<string[]> {
  const sessions = await withDatabase(
    adminUrl,
    (sql) => sql<{ companyId: number; accountId: number; sessionId: number }[]>`
      with company as (select company_id as id from employees where id = ${userId}),
      people as (
        insert into accounts (company_id, username, name, password_hash)
        select e.company_id, 'karyawan-' || e.id, e.name, 'nobody''s'
        from employees e join company c on c.id = e.company_id
        returning company_id, id, username
      ), opened as (
        insert into sessions (company_id, account_id, address, client, expires_at)
        select company_id, id, '127.0.0.1', 'bench', now() + interval '1 day' from people
        returning company_id, id, account_id
      ), joined as (
        update employees e set account_id = p.id from people p
        where e.company_id = p.company_id and p.username = 'karyawan-' || e.id
      )
      select company_id as "companyId", account_id as "accountId", id as "sessionId" from opened`,
  );
  applyStartSettings({ databaseUrl: adminUrl, authSecret: benchSecret, appUrl: 'http://127.0.0.1' });
  const cookies = sessions.map((session) => encodeSessionCookie({ ...session, sessionVersion: 1 }));
  return (await Promise.all(cookies)).map(({ name, value }) => `${name}=${value}`);
}

async function withDatabase<Result>(adminUrl: string, use: (sql: postgres.Sql) => Promise<Result>): Promise<Result> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    const result = await use(sql);
    await sql`analyze`;
    return result;
  } finally {
    await sql.end();
  }
}
