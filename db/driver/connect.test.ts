import { expect, test } from 'vitest';
import { sql } from '#db/client.ts';

test('numbers of 64 bits arrive as numbers, times as dates, days as text, JSON as values', async () => {
  const json = JSON.stringify({ a: [1] });
  const [row] = await sql()`
    select 9007199254740991::bigint as number, timestamptz '2026-03-10 20:00+07' as timestamp, date '2026-03-10' as day,
      ${json}::jsonb as json, ${[1, 2]}::int[] as list`;
  expect(row).toEqual({
    number: 9007199254740991,
    timestamp: new Date('2026-03-10T13:00:00Z'),
    day: '2026-03-10',
    json: { a: [1] },
    list: [1, 2],
  });
});

test('times that JavaScript cannot represent become the first or last date of the service', async () => {
  const [row] = await sql()`
    select timestamptz 'infinity' as last, timestamptz '-infinity' as first, timestamptz '4713-01-01 BC' as ancient`;
  expect(row).toEqual({ last: new Date(Date.UTC(9999, 0)), first: new Date(0), ancient: new Date(0) });
});
