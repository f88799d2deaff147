import { beforeAll, expect, test } from 'vitest';
import { sql } from '#db/client.ts';
import { openAdmin } from '#e2e/support/service/databases.ts';
import { type FullCompany, makeTwoCompanies } from '#e2e/tenancy/full-company.ts';

let ours: FullCompany;
let theirs: FullCompany;

beforeAll(async () => {
  ({ ours, theirs } = await makeTwoCompanies());
});

type Key = {
  table: string;
  name: string;
  kind: 'p' | 'u' | 'f';
  columns: string[];
  target: string | null;
  targets: string[] | null;
};

const keysOf = (kinds: Key['kind'][]) => sql()<Key[]>`
  select c.conrelid::regclass::text as "table", c.conname as name, c.contype as kind,
    array(select attname::text from unnest(c.conkey) with ordinality k (no, place)
      join pg_attribute on attrelid = c.conrelid and attnum = k.no order by place) as columns,
    nullif(c.confrelid, 0)::regclass::text as target,
    array(select attname::text from unnest(c.confkey) with ordinality k (no, place)
      join pg_attribute on attrelid = c.confrelid and attnum = k.no order by place) as targets
  from pg_constraint c join pg_namespace n on n.oid = c.connamespace
  where n.nspname = 'public' and c.contype = any(${kinds}) order by 1, 2`;

async function listTables(): Promise<{ ofCompanies: string[]; others: string[] }> {
  const rows = await sql()<{ name: string; has: boolean }[]>`
    select t.table_name as name, exists (select from information_schema.columns c
      where c.table_schema = 'public' and c.table_name = t.table_name and c.column_name = 'company_id' and c.is_nullable = 'NO') as has
    from information_schema.tables t where t.table_schema = 'public' order by 1`;
  const named = (has: boolean) => rows.filter((row) => row.has === has).map(({ name }) => name);
  return { ofCompanies: named(true), others: named(false) };
}

test('every table has a primary key that starts with the company, or a listed reason (T10)', async () => {
  const { ofCompanies, others } = await listTables();
  // Failed sign-ins are counted by a hash, before the account is known. The files of the pages and the
  // hourly jobs are the same for all companies.
  expect(others).toEqual(['build_files', 'companies', 'hourly_jobs', 'limit_counters']);
  const primary = new Map((await keysOf(['p'])).map(({ table, columns }) => [table, columns]));
  // Spans of employment have no id: two of one employee can begin at the same number.
  expect(ofCompanies.filter((table) => primary.get(table)?.[0] !== 'company_id')).toEqual(['employment']);
});

test('values that are unique over all companies are secrets or sign-in names', async () => {
  const found = await sql()<{ name: string }[]>`
    select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and i.indisunique and c.relname not in ('build_files', 'companies', 'hourly_jobs', 'limit_counters')
      and coalesce((select attname from pg_attribute where attrelid = c.oid and attnum = i.indkey[0]), '') <> 'company_id'
    order by 1`;
  expect(found.map(({ name }) => name)).toEqual([
    ...['accounts_username', 'api_keys_fingerprint', 'identities_subject', 'invitations_token', 'join_links_token'],
    ...['join_requests_token', 'owner_devices_endpoint', 'passkeys_credential', 'push_subscriptions_endpoint'],
    'sessions_bell',
  ]);
});

test('every foreign key includes the company on both sides (T10)', async () => {
  const { ofCompanies } = await listTables();
  const foreign = await keysOf(['f']);
  const wrong = foreign.filter(({ columns, target, targets }) => {
    const at = columns.indexOf('company_id');
    return at === -1 || targets?.[at] !== (target === 'companies' ? 'id' : 'company_id');
  });
  expect(wrong).toEqual([]);
  const tied = new Set(foreign.map(({ table }) => table));
  expect(ofCompanies.filter((table) => !tied.has(table))).toEqual([]);
});

const codeOf = (running: Promise<unknown>) =>
  running.then(
    () => 'done',
    ({ code }: { code: string }) => code,
  );

test('the database refuses references to another company’s rows, for each foreign key (T1, T10)', async () => {
  const [own, foreign] = [ours.company.owner.companyId, theirs.company.owner.companyId];
  const admin = openAdmin();
  const keys = (await keysOf(['f'])).filter(({ target }) => target !== 'companies');
  expect(keys.length).toBeGreaterThan(20);
  for (const { table, name, columns, target, targets } of keys) {
    const column = columns.find((one) => one !== 'company_id') ?? '';
    const wanted = targets?.[columns.indexOf(column)] ?? '';
    const [there] =
      await admin`select max(${admin(wanted)}::text) as id from ${admin(target ?? '')} where company_id = ${foreign}`;
    const one = admin`ctid = (select ctid from ${admin(table)} where company_id = ${own} and ${admin(column)} is not null limit 1)`;
    const [here] = await admin`select 1 from ${admin(table)} where ${one}`;
    expect([name, here !== undefined, there?.id !== null], 'there is such a row').toEqual([name, true, true]);
    const type = admin.unsafe(wanted === 'id' && target === 'exports' ? 'uuid' : 'bigint');
    const point = admin`update ${admin(table)} set ${admin(column)} = ${String(there?.id)}::text::${type} where ${one}`;
    expect([name, await codeOf(point)]).toEqual([name, '23503']);
    const move = admin`update ${admin(table)} set company_id = ${foreign} where ${one}`;
    expect([name, await codeOf(move)]).toEqual([name, '23503']);
  }
  await admin.end();
});
