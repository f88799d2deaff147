import { afterAll, expect } from 'vitest';
import { cacheStatement, db, inTransaction, isAnyOf, sql as pool, sql as text } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { and, eq, sql } from '#db/drizzle.cjs';
import { accounts, alarms, companies, exportParts, exports } from '#db/schema/tables.ts';
import { test } from '#e2e/support/data/test.ts';
import { databaseUrl } from '#platform/config/database.ts';

const unreachable = connect('postgres://nobody:none@127.0.0.1:9/none', 1);
afterAll(() => unreachable.end({ timeout: 0 }));

test('the builder returns what a text returns: numbers, timestamps, JSON, bytes, lists, null', async ({ owner }) => {
  const { companyId, accountId: createdBy } = owner;
  const { failedAt } = exports;
  const [made] = await db().insert(exports).values({ companyId, createdBy }).returning();
  if (!made) throw new Error('no row');
  const bytes = Buffer.from([0, 255, 10]);
  await db().insert(exportParts).values({ companyId, exportId: made.id, place: 0, bytes });
  const details = { title: 'a "quoted" \\ text', list: [1, null] };
  await db()
    .insert(alarms)
    .values({ companyId, kind: 'links-changed', accountId: createdBy, details, lastAt: new Date(0) });
  await db()
    .update(companies)
    .set({ embedOrigins: ['https://a', '{",}'], lastNo: 2 ** 40 })
    .where(eq(companies.id, companyId));
  const { embedOrigins: origins, lastNo } = companies;
  const built = await db()
    .select({ at: alarms.lastAt, details: alarms.details, bytes: exportParts.bytes, origins, lastNo, failedAt })
    .from(companies)
    .innerJoin(alarms, eq(alarms.companyId, companies.id))
    .innerJoin(exports, eq(exports.companyId, companies.id))
    .innerJoin(exportParts, and(eq(exportParts.companyId, companies.id), eq(exportParts.exportId, exports.id)))
    .where(eq(companies.id, companyId));
  const written = await text()`
    select a.last_at as at, a.details, p.bytes, c.embed_origins as origins, c.last_no as "lastNo", e.failed_at as "failedAt"
    from companies c join alarms a on a.company_id = c.id join exports e on e.company_id = c.id
      join export_parts p on p.company_id = c.id where c.id = ${companyId}`;
  expect(built).toEqual([...written]);
  expect(built).toEqual([
    { at: new Date(0), details, bytes, origins: ['https://a', '{",}'], lastNo: 2 ** 40, failedAt: null },
  ]);
  const ids = db()
    .select({ id: companies.id })
    .from(companies)
    .where(isAnyOf(companies.id, [companyId, companyId]));
  expect(await ids).toEqual([{ id: companyId }]);
  expect(await db().execute(sql`select ${sql.param([1, 2])}::int[] as list`)).toEqual([{ list: [1, 2] }]);
});

test('a result is whole after a statement that failed while it returned rows', async () => {
  const single = connect(databaseUrl(), 1);
  await expect(db(single).execute(sql`select 1 / (3 - i) from generate_series(1, 3) i`)).rejects.toThrow('zero');
  expect(await db(single).execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await single.end();
});

test('a transaction that throws keeps nothing of what the builder wrote', async ({ owner }) => {
  const rename = inTransaction(async (tx) => {
    await db(tx).update(companies).set({ name: 'Nama lain' }).where(eq(companies.id, owner.companyId));
    throw new Error('back');
  });
  await expect(rename).rejects.toThrow('back');
  const [company] = await text()`select name from companies where id = ${owner.companyId}`;
  expect(company?.name).not.toBe('Nama lain');
});

// drizzle's own error has each parameter in its message.
test('an error of a statement has none of its parameters, and the code of the driver', async ({ companyId }) => {
  const passwordHash = 'a secret that no log may have';
  const account = { companyId, username: `u${companyId}`, name: 'Nama', passwordHash };
  await db().insert(accounts).values(account);
  const slow = () =>
    inTransaction(async (tx) => {
      await tx`set local statement_timeout = 1`;
      await db(tx).execute(sql`select pg_sleep(1), ${passwordHash}::text`);
    });
  const failures: [string, () => PromiseLike<unknown>][] = [
    ['23505', () => db().insert(accounts).values(account)],
    ['42703', () => db().execute(sql`select missing from companies where name = ${passwordHash}`)],
    ['57014', slow],
    ['ECONNREFUSED', () => db(unreachable).select().from(accounts).where(eq(accounts.passwordHash, passwordHash))],
  ];
  for (const [code, failure] of failures) {
    const error = await Promise.resolve(failure()).catch((reason: Error & { code: string }) => reason);
    expect(error).toMatchObject({ code });
    const { message, stack, cause } = error as Error;
    expect(`${message}${stack}${cause}`, code).not.toContain(passwordHash);
  }
});

type Row = { first: number; rest: string[] };

test('a text is made once for each shape; each run has its own values', async () => {
  let made = 0;
  const run = cacheStatement<{ first: number; unused: number; rest: string[] }, Row, { isTwice: boolean }>(
    ({ first, rest }, { isTwice }) => {
      made += 1;
      const number = sql`${first}::int`;
      return sql`select ${isTwice ? sql`${number} + ${number}` : number} as first, ${rest}::text[] as rest
        where ${-1} < 0`;
    },
  );
  const rest = ["O'Brien", '$<first>', '$1'];
  expect(await run(pool(), { first: 3, unused: 5, rest }, { isTwice: false })).toEqual([{ first: 3, rest }]);
  expect(await run(pool(), { first: 4, unused: 5, rest: [] }, { isTwice: false })).toEqual([{ first: 4, rest: [] }]);
  expect(await run(pool(), { first: 4, unused: 5, rest }, { isTwice: true })).toEqual([{ first: 8, rest }]);
  expect(made).toBe(2);
});

test('a cached statement contains no text of one run: its type and its builder refuse that', async () => {
  // @ts-expect-error: a shape takes no free text.
  const run = cacheStatement<{ first: number }, Row, { name: string }>((_, { name }) => sql`select ${name}`);
  await expect(run(pool(), { first: 1 }, { name: "'; drop table companies" } as never)).rejects.toThrow(
    'a string cannot be a part of a cached statement',
  );
});
