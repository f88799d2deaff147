import { expect, test } from 'vitest';
import { type Fragment, sql } from '#db/client.ts';
import { prepareStatement } from '#db/prepared.ts';

type Row = { first: number; rest: string[] };

test('a text is made once for each shape; each run has its own values', async () => {
  let made = 0;
  const run = prepareStatement<{ first: number; unused: number; rest: string[] }, boolean, Row>(
    ({ first, rest }, isTwice) => {
      made += 1;
      const number = sql()`${first}::int`;
      return sql()`select ${isTwice ? sql()`${number} + ${number}` : number} as first, ${rest}::text[] as rest
        where ${-1} < 0 and 'a.b' = ${'a.b'}`;
    },
  );
  const rest = ["O'Brien", '$<first>', '$1'];
  expect(await run(sql(), { first: 3, unused: 5, rest }, false)).toEqual([{ first: 3, rest }]);
  expect(await run(sql(), { first: 4, unused: 5, rest: [] }, false)).toEqual([{ first: 4, rest: [] }]);
  expect(await run(sql(), { first: 4, unused: 5, rest }, true)).toEqual([{ first: 8, rest }]);
  expect(made).toBe(2);
});

test('a text that is made once takes no value of a run, and the next statement is not disturbed', async () => {
  const build = (name: string): Fragment => sql()`select ${name} as name`;
  const run = prepareStatement<{ first: number }, string, { name: string }>((_, name) => build(name));
  await expect(run(sql(), { first: 1 }, "'; drop table companies")).rejects.toThrow('cannot contain a string');
  expect(await sql()`${build('Karyawan Uji')}`).toEqual([{ name: 'Karyawan Uji' }]);
});
