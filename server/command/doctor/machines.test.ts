import { expect, test } from 'vitest';
import type { Report } from '#server/command/doctor/ask-address.ts';
import { describeMachines } from '#server/command/doctor/machines.ts';
import type { Build, ClientReport } from '#server/front/client-report.ts';

const newer: Build = { id: 'bbbbbbbb22222222bbbb', version: '1.1.0' };
const later: Build = { id: 'cccccccc33333333cccc', version: '1.2.0' };
const own = { port: 40_000, address: '10.0.0.2' };

const answerOf = (machine: string, build: Build | null): Report => {
  const seen = { peer: '10.0.0.2', peerPort: 40_000, isFromProxy: true, address: '10.0.0.9', forwardedFor: null };
  return { status: 200, own, report: { machine, build, ...seen } };
};
// A version that knows neither.
const older: Report = { ...answerOf('', null), report: { peer: '10.0.0.2' } as ClientReport };

test('machines with one build are counted', () => {
  const answers = ['10.0.0.11:3000', '10.0.0.12:3000', '10.0.0.11:3000'].map((one) => answerOf(one, newer));
  expect(describeMachines(answers, newer)).toMatchObject({
    state: 'ok',
    sentence: '2 machines answer at APP_URL, with 1.1.0 (build bbbbbbbb).',
  });
});

test('machines with different builds, or older ones, are named', () => {
  const both = describeMachines([answerOf('10.0.0.11:3000', newer), answerOf('10.0.0.12:3000', later)], newer);
  expect(both).toMatchObject({ state: 'warning' });
  expect(both.sentence).toContain('10.0.0.11:3000 has 1.1.0 (build bbbbbbbb), 10.0.0.12:3000 has 1.2.0');
  const withOlder = describeMachines([older, answerOf('10.0.0.11:3000', newer)], newer);
  expect(withOlder).toMatchObject({ state: 'warning', sentence: expect.stringContaining('an older version') });
});

test('a service that was not restarted after an installation is noticed', () => {
  expect(describeMachines([answerOf('10.0.0.11:3000', newer)], later)).toMatchObject({
    state: 'warning',
    sentence: expect.stringContaining('This folder has 1.2.0'),
    cure: expect.stringContaining('restart the service'),
  });
  expect(describeMachines([answerOf('10.0.0.11:3000', newer)], null)).toMatchObject({ state: 'ok' });
});

test('a machine with another AUTH_SECRET is an error, one that does not answer a warning', () => {
  const good = answerOf('10.0.0.11:3000', newer);
  const stranger: Report = { status: 404, own, report: null };
  expect(describeMachines([good, stranger, good], newer)).toMatchObject({
    state: 'error',
    sentence: expect.stringContaining('1 of 3'),
    cure: expect.stringContaining('AUTH_SECRET'),
  });
  for (const silent of ['ECONNREFUSED', { status: 503, own, report: null }])
    expect(describeMachines([good, silent], newer)).toMatchObject({ state: 'warning' });
});
