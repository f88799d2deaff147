import { afterEach, expect, test, vi } from 'vitest';
import { steadyNow } from '#app/portal/live/feed/steady-clock.ts';

afterEach(() => vi.useRealTimers());

test('time goes on while the clock of the device is set back, and while the device sleeps', () => {
  vi.useFakeTimers({ toFake: ['performance', 'Date'] });
  const began = steadyNow();
  const elapsed = () => Math.round(steadyNow() - began);
  vi.advanceTimersByTime(5000);
  expect(elapsed()).toBe(5000);
  vi.setSystemTime(Date.now() - 600_000);
  vi.advanceTimersByTime(1000);
  expect(elapsed()).toBe(6000);
  vi.setSystemTime(Date.now() + 30_000);
  expect(elapsed()).toBe(36_000);
});
