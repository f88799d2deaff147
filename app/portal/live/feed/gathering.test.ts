import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Gathering } from '#app/portal/live/feed/gathering.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Adds a number every `everyMs` for `forMs`, and returns when the first and the last one of each part left. */
function flow(everyMs: number, forMs: number, waitsForLast: boolean) {
  const began = Date.now();
  const left: { after: number; waited: number }[] = [];
  const leave = ([first = 0]: number[]) => left.push({ after: Date.now() - began, waited: Date.now() - first });
  const gathering = new Gathering<number>(leave);
  for (let passed = 0; passed < forMs; passed += everyMs) {
    gathering.add([Date.now()], 250, waitsForLast);
    vi.advanceTimersByTime(everyMs);
  }
  vi.advanceTimersByTime(20_000);
  return left;
}

test('of a steady flow the first leaves after the wait, and none waits longer', () => {
  const left = flow(10, 30_000, false);
  expect(left[0]).toEqual({ after: 250, waited: 250 });
  expect(Math.max(...left.map(({ waited }) => waited))).toBe(250);
});

test('what waits for the last one leaves together after it, and 9 s after the first at the latest', () => {
  expect(flow(200, 2000, true)).toEqual([{ after: 2050, waited: 2050 }]);
  expect(Math.max(...flow(200, 30_000, true).map(({ waited }) => waited))).toBe(9000);
});
