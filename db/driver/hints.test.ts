import { afterAll, beforeEach, expect, test } from 'vitest';
import { connect } from '#db/driver/connect.ts';
import { withHints } from '#db/driver/hints.ts';
import { databaseUrl } from '#platform/config/database.ts';

const sent: string[] = [];
const plain = connect(databaseUrl(), 1);
let named: number | undefined;
// Companies with even numbers are on server 0.
const sql = withHints(plain, { serverOf: (companyId) => companyId % 2, named: () => named });

beforeEach(async () => {
  await plain`select`;
  [sent.length, named] = [0, undefined];
  (plain.options as { debug: unknown }).debug = (_: number, text: string) => sent.push(text);
});
afterAll(() => plain.end());

test('a statement begins with the hint of the server of its company, also when parts of it are parts', async () => {
  const ofCompany = sql`where company_id = ${3}`;
  await sql`select name from employees ${ofCompany} and id = ${4}`;
  await sql`select id from (${sql`select id from keys_of where ${sql`company_id = ${2}`}`}) a`.catch(() => {});
  expect(sent).toEqual([
    '/* pgdog_shard: 1 */ select name from employees where company_id = $1 and id = $2',
    '/* pgdog_shard: 0 */ select id from (select id from keys_of where company_id = $1) a',
  ]);
});

test('a statement without a company goes to the named server, and nowhere without one', async () => {
  await expect(sql`select count(*) from employees`).rejects.toThrow('no company names the server of: select count');
  expect(sent).toEqual([]);
  named = 1;
  await sql`select count(*) from employees`;
  expect(sent).toEqual(['/* pgdog_shard: 1 */ select count(*) from employees']);
});

test('the first statement of a transaction decides its server; a company of another one ends it', async () => {
  await sql.begin(async (tx) => {
    await tx`select from companies where id = ${3}`;
    await tx`select pg_notify('access', '3')`;
  });
  expect(sent.filter((text) => text.includes('select'))).toEqual([
    '/* pgdog_shard: 1 */ select from companies where id = $1',
    "/* pgdog_shard: 1 */ select pg_notify('access', '3')",
  ]);
  const cross = sql.begin(async (tx) => {
    await tx`select from companies where id = ${3}`;
    await tx`select from companies where id = ${4}`;
  });
  await expect(cross).rejects.toThrow('a transaction needs two servers');
});
