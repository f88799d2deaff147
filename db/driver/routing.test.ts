import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql as mainPool, sqlForAll, sqlForCalls } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { routeStatements } from '#db/driver/routing.ts';
import { databaseUrl } from '#platform/config/database.ts';

const sent: string[] = [];
const pools = [0, 1].map(() => connect(databaseUrl(), 1));
let named: number | undefined;
const poolOf = (server: number) => pools[server] as (typeof pools)[0];
// Companies with even numbers are on server 0.
const sql = routeStatements({ poolOf, serverOf: (companyId) => companyId % 2, named: () => named });

beforeEach(async () => {
  for (const [server, pool] of pools.entries()) {
    await pool`select`;
    (pool.options as { debug: unknown }).debug = (_: number, text: string) => sent.push(`${server} ${text}`);
  }
  [sent.length, named] = [0, undefined];
});
afterAll(() => Promise.all(pools.map((pool) => pool.end())));

test('a statement runs on the server of its company, also when a part of it names the company', async () => {
  const ofCompany = sql`where company_id = ${3}`;
  await sql`select name from employees ${ofCompany} and id = ${4}`;
  await sql`select id from (${sql`select id from employees where ${sql`company_id = ${2}`}`}) a`;
  expect(sent).toEqual([
    '1 select name from employees where company_id = $1 and id = $2',
    '0 select id from (select id from employees where company_id = $1) a',
  ]);
});

test('a statement without a company runs on the named server, and nowhere without one', async () => {
  await expect(sql`select count(*) from employees`).rejects.toThrow('no company names the server of: select count');
  expect(() => sql.unsafe('select 1')).toThrow('nothing names the server of: select 1');
  expect(sent).toEqual([]);
  named = 1;
  await sql`select count(*) from employees`;
  await sql.unsafe('select count(*) from employees where id = $1', [3]);
  expect(sent).toEqual(['1 select count(*) from employees', '1 select count(*) from employees where id = $1']);
});

test('with one database nothing is routed: the pools themselves run all statements', () => {
  // What routes is made anew for each call.
  for (const pool of [mainPool, sqlForAll, sqlForCalls]) expect(pool()).toBe(pool());
});
