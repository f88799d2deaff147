import { expect, test } from 'vitest';
import { AccountStreams, streamLimit } from '#server/feed/stream-limit.ts';

test('a quarter of the files, at least 100, is kept free of streams; 50,000 streams at most', () => {
  const limits = [64, 200, 1024, 20_000, 1_048_576, Number.POSITIVE_INFINITY];
  expect(limits.map(streamLimit)).toEqual([0, 100, 768, 15_000, 50_000, 50_000]);
});

test('an account has at most 12 streams; those of a holder that ended count no more', () => {
  const streams = new AccountStreams();
  const [first, second] = [{}, {}];
  const take = (accountId: number, holder: object) => streams.take(accountId, null, holder);
  expect(Array.from({ length: 7 }, () => take(1, first))).toEqual(Array(7).fill(true));
  expect(Array.from({ length: 7 }, () => take(1, second))).toEqual([...Array(5).fill(true), false, false]);
  expect(take(2, first)).toBe(true);
  streams.release(1, null, second);
  expect([take(1, first), take(1, first)]).toEqual([true, false]);
  streams.releaseAll(first);
  expect(Array.from({ length: 9 }, () => take(1, first))).toEqual([...Array(8).fill(true), false]);
  // A late release of the one that ended takes nothing from others.
  streams.releaseAll(first);
  streams.release(1, null, first);
  expect(Array.from({ length: 9 }, () => take(1, first))).toEqual([...Array(8).fill(true), false]);
});

test('of one session a portal rings before a bell, and the bell that opened first before others', () => {
  const streams = new AccountStreams();
  const rings = () => ['7:bell:a', '7:bell:b', '8:bell:c'].filter((bell) => streams.rings(1, bell));
  expect(rings()).toHaveLength(3);
  for (const ringer of ['7:bell:a', '7:bell:b', '8:bell:c', null]) streams.take(1, ringer);
  expect(rings()).toEqual(['7:bell:a', '8:bell:c']);
  streams.take(1, '7:portal');
  expect(rings()).toEqual(['8:bell:c']);
  streams.release(1, '7:portal');
  streams.release(1, '7:bell:a');
  expect(rings()).toEqual(['7:bell:b', '8:bell:c']);
});
