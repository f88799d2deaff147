import { expect, test } from 'vitest';
import { decideRing } from '#app/portal/live/storage/claims.ts';

type Arrival = { at: number; no: number; missedUpTo: number };

/** When a browser rings (ms) for what arrives one by one, as `claimRing` lets it. */
function ringsFor(arrivals: Arrival[]): number[] {
  let claims = { popped: [] as number[], rung: 0, rungAt: 0 };
  const rings: number[] = [];
  for (const { at, no, missedUpTo } of arrivals) {
    const received = (now: number) => Math.max(...arrivals.filter((one) => one.at <= now).map((one) => one.no));
    let now = at;
    let decided = decideRing(claims, { no, missedUpTo, back: 0 }, received(now), now);
    if (typeof decided.value === 'object') {
      now += decided.value.waitMs;
      decided = decideRing(claims, { no, missedUpTo, back: 0 }, received(now), now);
    }
    if (decided.value === 'ring') rings.push(now);
    claims = { ...claims, ...decided.claims };
  }
  return rings;
}

const began = 1_000_000;
const every = (ms: number, count: number, missed: number): Arrival[] =>
  Array.from({ length: count }, (_, index) => {
    const no = index + 1;
    return { at: began + index * ms, no, missedUpTo: Math.max(missed, no) };
  });

test('what was missed in an absence rings once, however slowly it comes; a send meanwhile rings too (X30)', () => {
  expect(ringsFor(every(100, 300, 300))).toEqual([began]);
  expect(ringsFor(every(100, 301, 300))).toEqual([began, began + 30_000]);
});

test('a steady flow rings at once and then every 5 s', () => {
  const rings = ringsFor(every(100, 300, 0));
  expect(rings).toEqual([0, 5000, 10_000, 15_000, 20_000, 25_000, 30_000].map((passed) => began + passed));
});
