import { expect, test } from 'vitest';
import { type Coming, type Passing, type Spoil, startSpoiler } from '#e2e/docs/spoiler.ts';
import { runContractTest } from '#e2e/fixtures/contract-test.ts';
import { baseUrl } from '#e2e/fixtures/interface.ts';
import { makeCompany } from '#harness/company.ts';

const company = await makeCompany();
const employee = await company.hire();
const isPing = ({ url }: Coming) => url.includes('aksi=ping');

const header = (name: string, value: string | undefined, when = (_: Passing) => true): Spoil => ({
  after: (answer) => {
    if (!when(answer)) return;
    if (value === undefined) delete answer.headers[name];
    else answer.headers[name] = value;
  },
});
const status = (from: number, to: number): Spoil => ({
  after: (answer) => {
    if (answer.status === from) answer.status = to;
  },
});
const body = (change: (body: Record<string, unknown>, request: Coming, answer: Passing) => object): Spoil => ({
  after: (answer, request) => {
    if (!answer.body.startsWith('{"ok"')) return;
    answer.body = JSON.stringify(change(JSON.parse(answer.body), request, answer));
  },
});
const request = (change: (headers: Coming['headers'], request: Coming) => void): Spoil => ({
  before: (coming) => change(coming.headers, coming),
});
const accepts = (what: RegExp): Spoil => ({
  after: (answer, { body }) => {
    if (answer.status !== 400 || !what.test(body.toString('latin1'))) return;
    answer.status = 200;
    answer.body = '{"ok":true,"terkirim":1}';
  },
});

type Way = [way: string, spoil: Spoil, found: RegExp, args?: 'sending' | '--with-429'];

const ways: Way[] = [
  ['no Content-Type charset', header('content-type', 'application/json'), /content-type is application\/json/],
  ['answers that may be kept', header('cache-control', undefined), /cache-control is missing/],
  ['no nosniff', header('x-content-type-options', undefined), /x-content-type-options is missing/],
  ['another limit', header('x-ratelimit-limit', '100'), /x-ratelimit-limit is 100/],
  ['no Remaining', header('x-ratelimit-remaining', undefined), /x-ratelimit-remaining is not 0…60/],
  [
    'a Remaining that stands still',
    header('x-ratelimit-remaining', '42', ({ status }) => status !== 401),
    /every request.*WRONG/,
  ],
  ['no X-Request-Id', header('x-request-id', undefined), /x-request-id is missing/],
  ['the same X-Request-Id always', header('x-request-id', 'same'), /x-request-id came before/],
  [
    'an X-Request-Id that is echoed',
    {
      after: (answer, { headers }) => {
        if (headers['x-request-id']) answer.headers['x-request-id'] = headers['x-request-id'];
      },
    },
    /not echoed.*WRONG/,
  ],
  [
    'a cookie',
    {
      after: ({ headers }) => {
        headers['set-cookie'] = ['a=b'];
      },
    },
    /set-cookie was sent/,
  ],
  [
    'a CORS header for an Origin',
    {
      after: ({ headers }, { headers: asked }) => {
        if (asked.origin) headers['access-control-allow-origin'] = '*';
      },
    },
    /access-control-allow-origin was sent/,
  ],
  [
    'a redirect',
    {
      after: (answer, coming) => {
        if (!isPing(coming)) return;
        answer.status = 308;
        answer.headers.location = '/elsewhere';
      },
    },
    /location was sent/,
  ],
  [
    'a promised header that is missing',
    header('x-content-type-options', undefined),
    /though the OpenAPI document promises it/,
  ],
  [
    'an OpenAPI document that is none',
    {
      after: (answer, { url }) => {
        if (url.endsWith('openapi.json')) answer.body = '{}';
      },
    },
    /OpenAPI 3\.1 .*WRONG/,
  ],
  ['403 for 401', status(401, 403), /the status is not 401/],
  ['no WWW-Authenticate', header('www-authenticate', undefined), /www-authenticate is missing/],
  [
    'a Remaining above 0 for a 401',
    header('x-ratelimit-remaining', '60', ({ status }) => status === 401),
    /x-ratelimit-remaining is 60, not 0/,
  ],
  [
    'X-API-Key is not read',
    request((headers) => {
      if (!headers.authorization) delete headers['x-api-key'];
    }),
    /ping, key in X-API-Key.*WRONG/,
  ],
  [
    'Authorization is not read',
    request((headers) => {
      delete headers.authorization;
    }),
    /ping, key in Authorization.*WRONG/,
  ],
  [
    'a key in the query is read',
    request((headers, { url }) => {
      const key = /[?&]key=(\w+)/.exec(url)?.[1];
      if (key) headers['x-api-key'] = key;
    }),
    /a key in the query.*WRONG/,
  ],
  [
    'a key in both headers is accepted',
    request((headers) => {
      if (headers['x-api-key'] && headers.authorization?.startsWith('Bearer jss_')) delete headers.authorization;
    }),
    /the key in both headers.*WRONG/,
  ],
  ['405 without Allow', header('allow', undefined), /allow is missing/],
  ['404 for another method', status(405, 404), /405: PUT.*WRONG/],
  ['400 for an employee who is not there', status(404, 400), /404: user_id 2147483647.*WRONG/],
  [
    '500 for JSON that is cut off',
    {
      after: (answer, coming) => {
        if (answer.body.includes('json_malformed') && coming) answer.status = 500;
      },
    },
    /JSON that is cut off.*WRONG/,
  ],
  [
    'a ping with a field too many',
    body((json, coming) => (isPing(coming) && json.ok ? { ...json, tenant: 1 } : json)),
    /the body has key,ok,perusahaan,tenant/,
  ],
  ['a ping with a field too few', body(({ perusahaan: _, ...json }) => json), /the body has key,ok, not/],
  [
    'a list with e-mail addresses',
    body((json) =>
      Array.isArray(json.karyawan)
        ? { ...json, karyawan: json.karyawan.map((one) => ({ ...one, email: 'a@b' })) }
        : json,
    ),
    /karyawan is wrong/,
  ],
  ['errors without a code', body(({ code: _, ...json }) => json), /the body has error,ok/],
  [
    'another code',
    body((json) => (json.code === 'aksi_unknown' ? { ...json, code: 'bad_request' } : json)),
    /code is not aksi_unknown/,
  ],
  ['no field', body(({ field: _, ...json }) => json), /field is missing, not judul/],
  ['ok that is a text', body((json) => (json.ok === false ? { ...json, ok: 'false' } : json)), /ok is not false/],
  [
    'a stack trace',
    body((json) => (json.ok === false ? { ...json, error: `${json.error} at run (/srv/app.js:10:5)` } : json)),
    /error shows the inside/,
  ],
  [
    'the key in an error',
    {
      after: (answer, { headers }) => {
        const key = headers['x-api-key'];
        if (key && answer.status === 400) answer.body = answer.body.replace('"error":"', `"error":"${key} `);
      },
    },
    /the key is in the answer/,
  ],
  [
    'English only',
    request((headers) => {
      delete headers['accept-language'];
    }),
    /400 in English and in Indonesian.*WRONG/,
  ],
  ['a link to another site is accepted', accepts(/https:\/\/elsewhere/), /url to another site.*WRONG/],
  ['null is accepted as user_id', accepts(/"user_id":null/), /user_id null: never everyone.*WRONG/],
  ['a text that is too long is cut', accepts(/x{256}"/), /isi of 256 characters.*WRONG/],
  [
    'no forms',
    {
      after: (answer, { headers }) => {
        if (answer.status === 200 && headers['content-type']?.includes('form')) answer.status = 400;
      },
    },
    /send as a form.*WRONG/,
    'sending',
  ],
  ['a replay without its header', header('idempotent-replayed', undefined), /Idempotent-Replayed.*WRONG/, 'sending'],
  [
    'Idempotency-Key is not read',
    request((headers) => {
      delete headers['idempotency-key'];
    }),
    /the same Idempotency-Key for another text.*WRONG/,
    'sending',
  ],
  [
    'more than one received it',
    body((json) => ('terkirim' in json ? { ...json, terkirim: 2 } : json)),
    /terkirim is wrong/,
    'sending',
  ],
  ['429 without Retry-After', header('retry-after', undefined), /retry-after is missing/, '--with-429'],
  [
    'no limit',
    {
      after: (answer) => {
        if (answer.status !== 429) return;
        answer.status = 200;
        answer.body = '{"ok":true,"key":"a","perusahaan":"b"}';
      },
    },
    /never, in 120 requests/,
    '--with-429',
  ],
];

test.concurrent.each(ways)('a server that is wrong in one way is found out: %s', async (_, spoil, found, args) => {
  const spoiler = await startSpoiler(baseUrl, spoil);
  try {
    const options = args === 'sending' ? ['--employee', String(employee.employeeId)] : args ? [args] : [];
    const { code, output } = await runContractTest([spoiler.url, ...options], await company.newKey());
    expect(
      output
        .split('\n')
        .filter((line) => line.includes('WRONG'))
        .join('\n'),
    ).toMatch(found);
    expect(code).toBe(1);
  } finally {
    spoiler.close();
  }
});

test('a server that is right in every way is found so through the same means', async () => {
  const spoiler = await startSpoiler(baseUrl, {});
  const options = ['--employee', String(employee.employeeId), '--with-429'];
  const { code, output } = await runContractTest([spoiler.url, ...options], await company.newKey());
  spoiler.close();
  expect(output).toContain('0 wrong, 0 not tried');
  expect(code).toBe(0);
});

test('a server that takes everything gets nothing that might be for everyone', async () => {
  const spoiler = await startSpoiler(baseUrl, {
    after: (answer, { method }) => {
      if (method !== 'POST') return;
      answer.status = 200;
      answer.body = '{"ok":true,"terkirim":1}';
    },
  });
  const { code, output } = await runContractTest([spoiler.url], await company.newKey());
  spoiler.close();
  expect(code).toBe(1);
  expect(output).toMatch(/user_id null: never everyone.*not safe here/);
  const bodies = spoiler.received.filter(({ method }) => method === 'POST').map(({ body }) => body.toString('latin1'));
  expect(bodies.length).toBeGreaterThan(30);
  for (const text of bodies) expect(text).toMatch(/user_id"?(?:[:=]|\r\n\r\n)"? ?214748364[67]\b/);
});

test('an address where nothing listens ends with 1', async () => {
  const spoiler = await startSpoiler(baseUrl, {});
  spoiler.close();
  const { code, output } = await runContractTest([spoiler.url], await company.newKey());
  expect(code).toBe(1);
  expect(output).toContain('ECONNREFUSED');
});
