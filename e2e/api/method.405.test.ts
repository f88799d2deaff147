import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { ask, withKey } from '#e2e/support/http/interface.ts';

test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
  '%s with a key is 405 with Allow: GET, HEAD, POST (M1, M2)',
  async (method) => {
    const company = await makeCompany();
    const answer = await ask('?aksi=ping', { method, headers: withKey(await company.newKey()) });
    expect([answer.status, answer.json.code]).toEqual([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  },
);

test('a CORS preflight gets no CORS header (H22)', async () => {
  const headers = { Origin: 'https://elsewhere.test', 'Access-Control-Request-Method': 'POST' };
  const answer = await ask('', { method: 'OPTIONS', headers });
  expect(answer.status).toBe(401);
  for (const name of answer.headers.keys()) expect(name).not.toMatch(/^access-control-/);
});
