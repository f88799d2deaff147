import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { log, logConsole, logRepeats } from '#platform/log/log.ts';

afterEach(() => vi.useRealTimers());

test('of equal lines the first of a minute is whole, the others are one line with their number', () => {
  vi.useFakeTimers();
  const written = vi.spyOn(log(), 'info').mockImplementation(() => {});
  const note = (address: string, requestId: number) => logRepeats('info', { address }, { requestId }, 'call');
  for (let id = 0; id < 500; id++) note('192.0.2.1', id);
  note('192.0.2.2', 500);
  const first = [1, 2].map((id) => [{ address: `192.0.2.${id}`, requestId: (id - 1) * 500 }, 'call']);
  expect(written.mock.calls).toEqual(first);
  vi.advanceTimersByTime(60_000);
  expect(written.mock.calls.slice(2)).toEqual([[{ address: '192.0.2.1', repeats: 499 }, 'call']]);
  note('192.0.2.1', 501);
  expect(written.mock.calls.at(-1)).toEqual([{ address: '192.0.2.1', requestId: 501 }, 'call']);
  written.mockClear();
  for (let at = 0; at < 5000; at++) note(`2001:db8::${at}`, at);
  vi.advanceTimersByTime(60_000);
  expect(written.mock.calls.length).toBeLessThan(1010);
  written.mockRestore();
});

test('what a package prints as an error is a line of the log, and repeats are counted', () => {
  vi.useFakeTimers();
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {});
  const written = vi.spyOn(log(), 'error').mockImplementation(() => {});
  logConsole();
  const error = new TypeError('broken');
  for (let times = 0; times < 500; times++) console.error(error);
  console.error('a text', 5);
  vi.advanceTimersByTime(60_000);
  expect(written.mock.calls).toEqual([
    [{ name: 'TypeError', err: error }, 'an error was printed'],
    [{ name: undefined, err: 'a text 5' }, 'an error was printed'],
    [{ name: 'TypeError', repeats: 499 }, 'an error was printed'],
  ]);
  written.mockRestore();
  printed.mockRestore();
});

test('an error in the log has its causes, without the values of a statement', () => {
  const { err: describe } = log()[pino.symbols.serializersSym as never] as { err: (error: Error) => object };
  const cause = Object.assign(new Error('statement timeout'), { code: '57014', parameters: ['Budi'] });
  const described = describe(new Error('failed', { cause }));
  expect(described).toMatchObject({ message: 'failed', cause: { message: cause.message, code: '57014' } });
  expect(JSON.stringify(described)).not.toContain('Budi');
});
