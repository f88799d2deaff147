import { expect, test } from 'vitest';
import { AccountStreams, streamLimit } from '#server/feed/stream-limit.ts';

test('a quarter of the files, at least 100, is kept free of streams; 50,000 streams at most', () => {
  const limits = [64, 200, 1024, 20_000, 1_048_576, Number.POSITIVE_INFINITY];
  expect(limits.map(streamLimit)).toEqual([0, 100, 768, 15_000, 50_000, 50_000]);
});

test('the 13th stream of an account takes the place of the oldest; a holder that ended has none', () => {
  const streams = new AccountStreams<string[]>();
  const [first, second, third] = [['first'], ['second'], ['third']];
  const add = (count: number, holder: string[]) =>
    Array.from({ length: count }, () => streams.add(1, holder, null)?.[0]);
  expect(add(12, first)).toEqual(Array(12).fill(undefined));
  expect(streams.add(2, first, null)).toBeUndefined();
  expect(add(2, second)).toEqual(['first', 'first']);
  expect(streams.release(1, first, null)).toBe(true);
  streams.releaseAll(first);
  // A late release of the one that ended takes nothing from others.
  expect(streams.release(1, first, null)).toBe(false);
  expect(add(12, third)).toEqual([...Array(10).fill(undefined), 'second', 'second']);
  expect(streams.takeOldest(1)).toBe(third);
});

test('of one session a portal rings before a bell, and the bell that opened first before others', () => {
  const streams = new AccountStreams<object>();
  const holder = {};
  const rings = () => ['7:bell:a', '7:bell:b', '8:bell:c'].filter((bell) => streams.rings(1, bell));
  expect(rings()).toHaveLength(3);
  for (const ringer of ['7:bell:a', '7:bell:b', '8:bell:c', null]) streams.add(1, holder, ringer);
  expect(rings()).toEqual(['7:bell:a', '8:bell:c']);
  streams.add(1, holder, '7:portal');
  expect(rings()).toEqual(['8:bell:c']);
  streams.release(1, holder, '7:portal');
  streams.release(1, holder, '7:bell:a');
  expect(rings()).toEqual(['7:bell:b', '8:bell:c']);
});
