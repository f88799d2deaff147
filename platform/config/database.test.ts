import { afterEach, expect, test, vi } from 'vitest';
import {
  asPooled,
  databaseUrl,
  directDatabaseUrl,
  hostsOf,
  isConnectionString,
  parseDatabaseUrl,
  takeOwnerUrl,
} from '#platform/config/database.ts';
import { findWrongSettings } from '#platform/config/settings.ts';

afterEach(() => vi.unstubAllEnvs());

const problem =
  'has several addresses, but the service uses one PostgreSQL server; docs/scale.md says how much one can do';
const read = { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL: directDatabaseUrl, DATABASE_OWNER_URL: takeOwnerUrl };
const names = Object.keys(read) as (keyof typeof read)[];
const separators = [' ', '\n  ', ',', ', ', ';'];

for (const name of names)
  test(`several addresses in ${name} are refused in one sentence, whatever stands between them`, () => {
    for (const separator of separators)
      for (const address of ['postgres://a', 'postgres://a/notif', 'postgresql://u:p@a:5432/notif?sslmode=require']) {
        vi.stubEnv('DATABASE_URL', 'postgres://u:p@a/notif');
        vi.stubEnv(name, [address, 'postgres://u:p@b:5433/notif'].join(separator));
        expect(findWrongSettings().filter((wrong) => wrong.name === name)).toEqual([{ name, problem }]);
        expect(read[name]).toThrow(`${name}: ${problem}.`);
      }
  });

test('one address may name several hosts, of which one takes writes', () => {
  const url = 'postgres://u:p@db1:5432,db2:5433/notif?target_session_attrs=primary';
  for (const name of names) vi.stubEnv(name, url);
  expect(findWrongSettings().filter(({ name }) => names.includes(name as (typeof names)[number]))).toEqual([]);
  expect([databaseUrl(), directDatabaseUrl(), takeOwnerUrl()]).toEqual([`${url}&pgbouncer=true`, url, url]);
});

test('a connection string may name several hosts, IPv6 included; other texts are refused', () => {
  const list = 'postgres://u:p%40ss@db1.test,db2.test:5433,[::1]:5434/notif?target_session_attrs=primary';
  expect(isConnectionString(list)).toBe(true);
  expect(hostsOf(list)).toBe('db1.test,db2.test:5433,[::1]:5434');
  const { url, hosts } = parseDatabaseUrl(list);
  expect(url).toBe('postgres://u:p%40ss@db1.test/notif');
  expect(hosts.map(({ host, port }) => `${host} ${port}`)).toEqual(['db1.test 5432', 'db2.test 5433', '::1 5434']);
  for (const wrong of ['', 'mysql://x', 'postgres://', 'postgres:///x', 'postgres://h:port/x', 'postgres://h,:x/y'])
    expect([wrong, isConnectionString(wrong)]).toEqual([wrong, false]);
});

test('pgbouncer=true names a pooler and turns prepared statements off, unless the address says so', () => {
  const plain = 'postgres://u:p@h/notif';
  expect(parseDatabaseUrl(plain)).toMatchObject({ isPooled: false, prepare: true });
  expect(parseDatabaseUrl(`${plain}?prepare=false`)).toMatchObject({ isPooled: false, prepare: false, url: plain });
  expect(parseDatabaseUrl(asPooled(plain))).toMatchObject({ isPooled: true, prepare: false, url: plain });
  const prepared = { isPooled: true, prepare: true, url: plain };
  expect(parseDatabaseUrl(asPooled(`${plain}?prepare=true`))).toMatchObject(prepared);
  expect(asPooled(asPooled(plain))).toBe(`${plain}?pgbouncer=true`);
});

test('sslmode is read as by psql, and channel_binding=require becomes a checked certificate', () => {
  const tlsOf = (query: string) => parseDatabaseUrl(`postgres://u:p@h/notif?${query}`).tls;
  for (const query of ['', 'sslmode=disable', 'ssl=false']) expect([query, tlsOf(query)]).toEqual([query, null]);
  for (const query of ['sslmode=require', 'sslmode=prefer', 'ssl=true'])
    expect([query, tlsOf(query)]).toEqual([query, { rejectUnauthorized: false }]);
  for (const query of ['sslmode=verify-full', 'sslrootcert=system', 'sslmode=require&channel_binding=require'])
    expect([query, tlsOf(query)]).toEqual([query, { ca: undefined }]);
  expect(parseDatabaseUrl('postgres://u:p@h/notif?sslmode=require&channel_binding=require').url).toBe(
    'postgres://u:p@h/notif',
  );
  expect(() => tlsOf('sslmode=verify-full&sslrootcert=/nowhere.pem')).toThrow('/nowhere.pem');
  const plain = ['h', 'localhost,db2', '10.0.0.5', 'h?application_name=x', 'localhost', '127.0.0.1:1', '[::1]'];
  const asked = ['h?sslmode=disable', 'h?ssl=false', 'h?sslmode=require', 'h?channel_binding=require'];
  const lacking = [...plain, ...asked].filter((rest) => parseDatabaseUrl(`postgres://u:p@${rest}`).lacksTls);
  expect(lacking).toEqual(plain.slice(0, 4));
});
