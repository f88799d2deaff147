import { afterEach, expect, test, vi } from 'vitest';
import { databaseUrl, directDatabaseUrl, takeOwnerUrl } from '#platform/config/database.ts';
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
