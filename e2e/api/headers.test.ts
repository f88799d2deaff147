import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, good, sendJson, withKey } from '#e2e/support/http/interface.ts';

const company = await makeCompany();
const ping = (key: string) => ask('?aksi=ping', { headers: withKey(key) });

test('RateLimit has the remaining requests and the seconds to the end of the window', async () => {
  const key = await company.newKey();
  for (const left of [59, 58]) {
    const { headers } = await ping(key);
    expect(headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60');
    const [, rest, seconds] = /^"minute";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
    expect([Number(rest), headers.get('x-ratelimit-remaining')]).toEqual([left, String(left)]);
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
  }
});

test('without a valid key there is RateLimit-Policy and no RateLimit', async () => {
  const { headers } = await ask('?aksi=ping');
  expect(headers.get('ratelimit-policy')).toBe('"minute";q=60;w=60');
  expect(headers.get('ratelimit')).toBeNull();
});

test('Link names the document, the documentation, and the help for a failure', async () => {
  const key = await company.newKey();
  const link = '</api/v1/openapi.json>; rel="service-desc", </docs>; rel="service-doc"';
  expect((await ping(key)).headers.get('link')).toBe(link);
  const failed = await sendJson(key, { ...good, user_id: null });
  expect(failed.headers.get('link')).toBe(`${link}, </docs/errors#user_id_empty>; rel="help"`);
});
