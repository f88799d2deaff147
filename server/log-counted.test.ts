import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { logCounted } from '#server/log-counted.ts';

const processGlobals = globalThis as { [key: symbol]: unknown };
const logger = Symbol.for('staff-notification-api.log');
const written: [level: string, fields: object, message: string][] = [];
const write = (level: string) => (fields: object, message: string) => void written.push([level, fields, message]);

beforeEach(() => {
  vi.useFakeTimers();
  processGlobals[logger] = { info: write('info'), error: write('error') };
});
afterEach(() => {
  vi.runAllTimers();
  vi.useRealTimers();
  delete processGlobals[logger];
  written.length = 0;
});

test('a repeated line is written once, and after a minute with its number', () => {
  for (let count = 0; count < 100; count++)
    logCounted({ level: 'error', key: 'one', fields: { address: `10.0.0.${count}` }, message: 'failed' });
  expect(written).toEqual([['error', { address: '10.0.0.0' }, 'failed']]);
  vi.advanceTimersByTime(60_000);
  expect(written.slice(1)).toEqual([['error', { address: '10.0.0.0', repeated: 99 }, 'failed']]);
  logCounted({ level: 'error', key: 'one', fields: {}, message: 'failed' });
  expect(written).toHaveLength(3);
});

test('10,000 different lines in a minute write about 50 lines for each level', () => {
  for (let count = 0; count < 10_000; count++)
    for (const level of ['info', 'error'] as const)
      logCounted({ level, key: `${count}`, fields: {}, message: `line ${count}` });
  vi.advanceTimersByTime(60_000);
  expect(written.length).toBeLessThan(110);
  const total = written.reduce((sum, [, fields]) => sum + ('repeated' in fields ? Number(fields.repeated) : 1), 0);
  expect(total).toBe(20_000);
});
