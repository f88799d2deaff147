import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RingClock } from '#app/portal/live/feed/ring-clock.ts';

const second = 1000;

type Asked = { at: number; what: 'ask' | 'open' | 'close' };

// Ticks once a second, as the worker does, and writes down what the clock wants; `during` may tell it what happened.
function run(
  clock: RingClock,
  from: number,
  to: number,
  during: (now: number, asked: Asked[]) => void = () => {},
): Asked[] {
  const asked: Asked[] = [];
  for (let now = from; now <= to; now += second) {
    const { ask, openStream, closeStream } = clock.tick(now);
    if (closeStream) asked.push({ at: now, what: 'close' });
    if (openStream) asked.push({ at: now, what: 'open' });
    if (ask) asked.push({ at: now, what: 'ask' });
    during(now, asked);
  }
  return asked;
}

const times = (asked: Asked[], what: Asked['what']) => asked.filter((one) => one.what === what).map(({ at }) => at);
const gaps = (at: number[]) => at.slice(1).map((now, index) => now - (at[index] ?? 0));

test('without a stream it asks every 10 s, jittered by one', () => {
  const clock = new RingClock(0);
  const polls = times(
    run(clock, 0, 600 * second, (now) => clock.streamEnded(now, { planned: false, waitMs: null })),
    'ask',
  );
  expect(polls[0]).toBe(0);
  expect(Math.max(...gaps(polls))).toBeLessThanOrEqual(12 * second);
});

test('a stream that never says a word does not keep the poll from asking every 10 s, and is tried less and less', () => {
  const clock = new RingClock(0);
  const asked = run(clock, 0, 1200 * second);
  expect(Math.max(...gaps(times(asked, 'ask')))).toBeLessThanOrEqual(12 * second);
  const opened = times(asked, 'open');
  expect(opened.length).toBeLessThan(10);
  expect(gaps(opened)[0]).toBeGreaterThanOrEqual(60 * second);
});

test('while the stream lives one question a minute is enough', () => {
  const clock = new RingClock(0);
  const asked = run(clock, 0, 600 * second, (now) => now % (8 * second) === 0 && clock.streamHeard(now));
  expect(times(asked, 'ask').length).toBeLessThanOrEqual(12);
  expect(times(asked, 'ask').length).toBeGreaterThanOrEqual(9);
  expect(times(asked, 'open')).toEqual([0]);
});

test('from the last sign of a stream that broke silently to the next question it is never more than 12 s', () => {
  const dies = fc.integer({ min: 10, max: 300 });
  fc.assert(
    fc.property(dies, fc.double({ min: 0, max: 0.999, noNaN: true }), (diesAt, random) => {
      const clock = new RingClock(0, () => random);
      let last = 0;
      const asked = run(clock, 0, (diesAt + 40) * second, (now) => {
        if (now > diesAt * second || now % (8 * second) !== 0) return;
        clock.streamHeard(now);
        last = now;
      });
      const next = times(asked, 'ask').find((at) => at > last) ?? Number.POSITIVE_INFINITY;
      expect(next - last).toBeLessThanOrEqual(12 * second);
    }),
  );
});

test('after a sleep it asks at once and opens a new stream', () => {
  const clock = new RingClock(0);
  run(clock, 0, 30 * second, (now) => now % (8 * second) === 0 && clock.streamHeard(now));
  const { ask, openStream, closeStream, slept } = clock.tick(3600 * second);
  expect({ ask, openStream, closeStream, slept }).toEqual({
    ask: true,
    openStream: true,
    closeStream: true,
    slept: true,
  });
});

test('a stream that ended as planned is opened again at once; one the service asked to wait for waits', () => {
  const clock = new RingClock(0, () => 0);
  clock.tick(0);
  clock.streamHeard(0);
  clock.streamEnded(second, { planned: true, waitMs: null });
  expect(clock.tick(second).openStream).toBe(true);
  clock.streamHeard(second);
  clock.streamEnded(2 * second, { planned: true, waitMs: 7000 });
  expect(times(run(clock, 2 * second, 20 * second), 'open')[0]).toBe(9 * second);
});

test('a question that was not answered is asked again within 6 s', () => {
  const clock = new RingClock(0);
  const polls = times(
    run(clock, 0, 120 * second, (now, asked) => {
      clock.streamEnded(now, { planned: false, waitMs: null });
      if (asked.at(-1)?.at === now && asked.at(-1)?.what === 'ask') clock.pollFailed(now);
    }),
    'ask',
  );
  expect(Math.max(...gaps(polls))).toBeLessThanOrEqual(6 * second);
});

test('where no stream is to be had, the poll carries, and the next try comes when the service said', () => {
  const clock = new RingClock(0);
  const asked = run(clock, 0, 300 * second, (now, so) => {
    if (so.at(-1)?.at === now && so.some(({ at, what }) => at === now && what === 'open'))
      clock.streamEnded(now, { planned: false, waitMs: 60 * second });
  });
  expect(times(asked, 'open')).toEqual([0, 60, 120, 180, 240, 300].map((at) => at * second));
  expect(Math.max(...gaps(times(asked, 'ask')))).toBeLessThanOrEqual(12 * second);
});
