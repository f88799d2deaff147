import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FeedSchedule } from '#app/portal/live/feed/feed-schedule.ts';

const second = 1000;
type Due = ReturnType<FeedSchedule['tick']>;

// Ticks once a second, as the worker does, and returns when what was due. `during` tells the schedule what happened.
function run(schedule: FeedSchedule, from: number, to: number, during: (now: number, due: Due) => void = () => {}) {
  const polls: number[] = [];
  const opened: number[] = [];
  for (let now = from; now <= to; now += second) {
    const due = schedule.tick(now);
    if (due.poll) polls.push(now);
    if (due.openStream) opened.push(now);
    during(now, due);
  }
  return { polls, opened };
}

const longest = (at: number[]) => Math.max(...at.slice(1).map((now, index) => now - (at[index] ?? 0)));
const isPing = (now: number) => now % (8 * second) === 0;
const broken = { planned: false, waitMs: null };

test.each([
  ['without a stream it polls every 10 s, give or take one', false, 12],
  ['after a failed poll the next one follows within 6 s', true, 6],
])('%s', (_, fails, seconds) => {
  const schedule = new FeedSchedule(0);
  const { polls } = run(schedule, 0, 600 * second, (now, { poll }) => {
    schedule.streamEnded(now, broken);
    if (poll && fails) schedule.pollFailed(now);
  });
  expect(polls[0]).toBe(0);
  expect(longest(polls)).toBeLessThanOrEqual(seconds * second);
});

test('while a stream delivers nothing, the feed polls every 10 s and opens the stream less often', () => {
  const { polls, opened } = run(new FeedSchedule(0), 0, 1200 * second);
  expect(longest(polls)).toBeLessThanOrEqual(12 * second);
  expect(opened.length).toBeLessThan(10);
  expect(opened[1]).toBeGreaterThanOrEqual(60 * second);
});

test('while the stream is alive it polls once a minute', () => {
  const schedule = new FeedSchedule(0);
  const { polls, opened } = run(schedule, 0, 600 * second, (now) => isPing(now) && schedule.streamActive(now));
  expect(polls.length).toBeLessThanOrEqual(12);
  expect(polls.length).toBeGreaterThanOrEqual(9);
  expect(opened).toEqual([0]);
});

test('a poll follows at most 12 s after the last sign of a stream that broke silently', () => {
  const breaks = fc.integer({ min: 10, max: 300 });
  fc.assert(
    fc.property(breaks, fc.double({ min: 0, max: 0.999, noNaN: true }), (breaksAt, random) => {
      const schedule = new FeedSchedule(0, () => random);
      let last = 0;
      const { polls } = run(schedule, 0, (breaksAt + 40) * second, (now) => {
        if (now > breaksAt * second || !isPing(now)) return;
        schedule.streamActive(now);
        last = now;
      });
      const next = polls.find((at) => at > last) ?? Number.POSITIVE_INFINITY;
      expect(next - last).toBeLessThanOrEqual(12 * second);
    }),
  );
});

test('after a sleep it polls at once and opens a new stream', () => {
  const schedule = new FeedSchedule(0);
  run(schedule, 0, 30 * second, (now) => isPing(now) && schedule.streamActive(now));
  expect(schedule.tick(3600 * second)).toEqual({ poll: true, openStream: true, closeStream: true });
});

test('a stream that ended as planned opens again at once, or after the pause the service asked for', () => {
  const schedule = new FeedSchedule(0, () => 0);
  schedule.tick(0);
  schedule.streamActive(0);
  schedule.streamEnded(second, { planned: true, waitMs: null });
  expect(schedule.tick(second).openStream).toBe(true);
  schedule.streamActive(second);
  schedule.streamEnded(2 * second, { planned: true, waitMs: 7000 });
  expect(run(schedule, 2 * second, 20 * second).opened[0]).toBe(9 * second);
});

test('after a refused stream, polls continue and the next attempt follows Retry-After', () => {
  const schedule = new FeedSchedule(0);
  const { polls, opened } = run(schedule, 0, 300 * second, (now, { openStream }) => {
    if (openStream) schedule.streamEnded(now, { planned: false, waitMs: 60 * second });
  });
  expect(opened).toEqual([0, 60, 120, 180, 240, 300].map((at) => at * second));
  expect(longest(polls)).toBeLessThanOrEqual(12 * second);
});

test('a stream that opens postpones no poll that was asked for or must be repeated', () => {
  for (const ask of ['wake', 'pollAgain', 'pollFailed'] as const) {
    const schedule = new FeedSchedule(0);
    schedule.tick(0);
    schedule[ask](100);
    schedule.streamActive(200);
    expect(run(schedule, second, 6 * second).polls, ask).toHaveLength(1);
  }
});
