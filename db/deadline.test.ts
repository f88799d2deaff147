import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AnswerTimeout, createDeadline } from '#db/deadline.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('statements share a budget of 5.5 s, and then fail without an answer (X3)', async () => {
  const withDeadline = createDeadline();
  const first = withDeadline(() => wait(3000).then(() => 'answered'));
  await vi.advanceTimersByTimeAsync(3000);
  expect(await first).toBe('answered');
  const second = withDeadline(() => new Promise(() => {})).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(2499);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await second).toBeInstanceOf(AnswerTimeout);
});
