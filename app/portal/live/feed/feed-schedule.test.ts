import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FeedSchedule } from '#app/portal/live/feed/feed-schedule.ts';

const second = 1000;

type Action = { at: number; what: 'poll' | 'open' | 'close' };

// Ticks once a second, as the worker does, and records what is due. `during` tells the schedule what happened.
function run(
  schedule: FeedSchedule,
  from: number,
  to: number,
  during: (now: number, actions: Action[]) => void = () => {},
): Action[] {
  const actions: Action[] = [];
  for (let now = from; now <= to; now += second) {
    const { poll, openStream, closeStream } = schedule.tick(now);
    if (closeStream) actions.push({ at: now, what: 'close' });
    if (openStream) actions.push({ at: now, what: 'open' });
    if (poll) actions.push({ at: now, what: 'poll' });
    during(now, actions);
  }
  return actions;
}

const times = (actions: Action[], what: Action['what']) =>
  actions.filter((one) => one.what === what).map(({ at }) => at);
const gaps = (at: number[]) => at.slice(1).map((now, index) => now - (at[index] ?? 0));
const isPing = (now: number) => now % (8 * second) === 0;

test('without a stream it polls every 10 s, give or take one', () => {
  const schedule = new FeedSchedule(0);
  const polls = times(
    run(schedule, 0, 600 * second, (now) => schedule.streamEnded(now, { planned: false, waitMs: null })),
    'poll',
  );
  expect(polls[0]).toBe(0);
  expect(Math.max(...gaps(polls))).toBeLessThanOrEqual(12 * second);
});

test('while a stream delivers nothing, the feed polls every 10 s and opens the stream less often', () => {
  const schedule = new FeedSchedule(0);
  const actions = run(schedule, 0, 1200 * second);
  expect(Math.max(...gaps(times(actions, 'poll')))).toBeLessThanOrEqual(12 * second);
  const opened = times(actions, 'open');
  expect(opened.length).toBeLessThan(10);
  expect(gaps(opened)[0]).toBeGreaterThanOrEqual(60 * second);
});

test('while the stream is alive it polls once a minute', () => {
  const schedule = new FeedSchedule(0);
  const actions = run(schedule, 0, 600 * second, (now) => isPing(now) && schedule.streamActive(now));
  expect(times(actions, 'poll').length).toBeLessThanOrEqual(12);
  expect(times(actions, 'poll').length).toBeGreaterThanOrEqual(9);
  expect(times(actions, 'open')).toEqual([0]);
});

test('a poll follows at most 12 s after the last sign of a stream that broke silently', () => {
  const breaks = fc.integer({ min: 10, max: 300 });
  fc.assert(
    fc.property(breaks, fc.double({ min: 0, max: 0.999, noNaN: true }), (breaksAt, random) => {
      const schedule = new FeedSchedule(0, () => random);
      let last = 0;
      const actions = run(schedule, 0, (breaksAt + 40) * second, (now) => {
        if (now > breaksAt * second || !isPing(now)) return;
        schedule.streamActive(now);
        last = now;
      });
      const next = times(actions, 'poll').find((at) => at > last) ?? Number.POSITIVE_INFINITY;
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
  expect(times(run(schedule, 2 * second, 20 * second), 'open')[0]).toBe(9 * second);
});

test('after a failed poll the next one follows within 6 s', () => {
  const schedule = new FeedSchedule(0);
  const polls = times(
    run(schedule, 0, 120 * second, (now, actions) => {
      schedule.streamEnded(now, { planned: false, waitMs: null });
      if (actions.at(-1)?.at === now && actions.at(-1)?.what === 'poll') schedule.pollFailed(now);
    }),
    'poll',
  );
  expect(Math.max(...gaps(polls))).toBeLessThanOrEqual(6 * second);
});

test('after a refused stream, polls continue and the next attempt follows Retry-After', () => {
  const schedule = new FeedSchedule(0);
  const actions = run(schedule, 0, 300 * second, (now, so) => {
    if (so.some(({ at, what }) => at === now && what === 'open'))
      schedule.streamEnded(now, { planned: false, waitMs: 60 * second });
  });
  expect(times(actions, 'open')).toEqual([0, 60, 120, 180, 240, 300].map((at) => at * second));
  expect(Math.max(...gaps(times(actions, 'poll')))).toBeLessThanOrEqual(12 * second);
});

test('a stream that opens postpones no poll that was asked for or must be repeated', () => {
  for (const ask of ['wake', 'pollAgain', 'pollFailed'] as const) {
    const schedule = new FeedSchedule(0);
    schedule.tick(0);
    schedule[ask](100);
    schedule.streamActive(200);
    expect(times(run(schedule, second, 6 * second), 'poll'), ask).toHaveLength(1);
  }
});
