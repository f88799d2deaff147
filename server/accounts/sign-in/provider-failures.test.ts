import { expect, test } from 'vitest';
import { explainFailure } from '#server/accounts/sign-in/provider-failures.ts';

test('a certificate that is over is told apart from one of an unknown authority', () => {
  const causeOf = (code: string) =>
    explainFailure(
      new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) }),
      'https://id.test',
    ).cause;
  expect(causeOf('CERT_HAS_EXPIRED')).toBe('expired');
  expect(causeOf('DEPTH_ZERO_SELF_SIGNED_CERT')).toBe('certificate');
});
