import { expect, test } from 'vitest';
import { sql as pool } from '#db/client.ts';
import { sql } from '#db/drizzle.cjs';
import { cacheStatement } from '#db/statement-cache.ts';

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
