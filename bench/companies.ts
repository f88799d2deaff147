import postgres from 'postgres';
import { insertCompanies } from '#e2e/support/data/seeded.ts';
import { benchSecret } from '#e2e/support/service/stage.ts';
import { applyStartSettings } from '#platform/config/settings.ts';
import { encodeSessionCookie } from '#server/accounts/sessions/cookie.ts';

export type Caller = { key: string; userId: number };

/** How many companies to create, with how many employees (1 or more) and keys each. */
export type CallerCounts = { companies: number; employees: number; keys: number };

// Plain SQL: `before` compares commits, and functions of one may write columns that the other lacks.

/** Inserts companies with employees and keys. Returns a caller for each key; neighbours are of different companies. */
export const insertCallers = (adminUrl: string, counts: CallerCounts): Promise<Caller[]> =>
  withDatabase(adminUrl, async (sql) => {
    const made = await insertCompanies(sql, counts);
    const callersAt = (at: number) => made.map(({ keys, employeeId }) => ({ key: keys[at] ?? '', userId: employeeId }));
    return Array.from({ length: counts.keys }, (_, at) => callersAt(at)).flat();
  });

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
