import { once } from 'node:events';
import { request as ask, createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { baseUrl, runContractTest } from '#e2e/support/http/interface.ts';
import { listen } from '#e2e/support/running.ts';
import { draftLimits } from '#server/notifications/field-rules.ts';

type Passing = { status: number; headers: IncomingHttpHeaders; body: string };
type Coming = { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer };

/** Changes a request before it is passed on, or its answer. */
type Spoil = { before?: (request: Coming) => unknown; after?: (answer: Passing, request: Coming) => unknown };

// Starts a proxy before the service under test that changes requests and answers.
async function startSpoiler({ before, after }: Spoil) {
  const received: Coming[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/' } = incoming;
    const request = { method, url, headers: { ...incoming.headers }, body: await buffer(incoming) };
    received.push({ ...request, headers: { ...request.headers } });
    before?.(request);
    const answer = await passOn(request);
    after?.(answer, request);
    const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...headers } = answer.headers;
    outgoing.writeHead(answer.status, headers);
    outgoing.end(method === 'HEAD' ? '' : answer.body);
  });
  return { ...(await listen(server)), received };
}

async function passOn({ method, url, headers, body }: Coming): Promise<Passing> {
  // The proxy can only change an answer that is not compressed.
  const { 'transfer-encoding': _, 'accept-encoding': __, ...passed } = headers;
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
  const asked = ask(`${baseUrl}${url}`, { method, headers: { ...passed, ...length } }).end(body);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

const company = await makeCompany();
const employee = await company.hire();

const withJson = (answer: Passing, change: (json: Record<string, unknown>) => object) => {
  if (answer.body.startsWith('{"ok"')) answer.body = JSON.stringify(change(JSON.parse(answer.body)));
};
const answerOk = (answer: Passing, body: object) => Object.assign(answer, { status: 200, body: JSON.stringify(body) });
const toEmployee = ['--employee', String(employee.employeeId)];

/** A server with several deviations, and what the contract test must print for each of them. */
type Deviation = { what: string; spoil: Spoil; found: RegExp[]; options?: string[] };

const deviations: Deviation[] = [
  {
    what: 'headers',
    spoil: {
      after: ({ status, headers }, request) => {
        for (const name of ['cache-control', 'x-content-type-options', 'www-authenticate', 'allow', 'retry-after'])
          delete headers[name];
        const wrong = { 'content-type': 'application/json', 'x-ratelimit-limit': '100', 'x-request-id': 'same' };
        Object.assign(headers, wrong, { 'set-cookie': ['a=b'] });
        headers['x-ratelimit-remaining'] = status === 401 ? '60' : '42';
        if (request.url.includes('aksi=ping')) headers.location = '/elsewhere';
        if (request.headers.origin) headers['access-control-allow-origin'] = '*';
      },
    },
    found: [
      ...[/content-type is application\/json/, /cache-control is missing/, /x-ratelimit-limit is 100/],
      ...[/x-request-id came before/, /set-cookie was sent/, /access-control-allow-origin was sent/],
      ...[/www-authenticate is missing/, /allow is missing/, /retry-after is missing/, /location was sent/],
      ...[/x-ratelimit-remaining is 60, not 0/, /every request/],
    ],
    options: [...toEmployee, '--with-429'],
  },
  {
    what: 'statuses',
    spoil: {
      after: (answer) => {
        const wrong: Record<number, number> = { 401: 403, 404: 400, 405: 404 };
        answer.status = answer.body.includes('json_malformed') ? 500 : (wrong[answer.status] ?? answer.status);
      },
    },
    found: [/the status is not 401/, /405: PUT/, /404: user_id 2147483647/, /JSON that is cut off/],
  },
  {
    what: 'X-API-Key is not read',
    spoil: { before: ({ headers }) => !headers.authorization && delete headers['x-api-key'] },
    found: [/ping, key in X-API-Key/],
  },
  {
    what: 'Authorization is not read, a key in the query is',
    spoil: {
      before: ({ headers, url }) => {
        const key = /[?&]key=(\w+)/.exec(url)?.[1];
        if (key) headers['x-api-key'] = key;
        delete headers.authorization;
        delete headers['accept-language'];
      },
    },
    found: [/ping, key in Authorization/, /a key in the query/, /both headers/, /400 in English and in Indonesian/],
  },
  {
    what: 'bodies',
    spoil: {
      after: (answer, { headers }) =>
        withJson(answer, ({ perusahaan, field, ...json }) => {
          if (Array.isArray(json.karyawan))
            return { ...json, karyawan: json.karyawan.map((one) => ({ ...one, email: 'a@b' })) };
          if (json.ok) return { ...json, perusahaan, tenant: 1 };
          const error = `${json.error} at run (/srv/app.js:10:5) ${headers['x-api-key']}`;
          return { ok: 'false', error, code: json.code === 'aksi_unknown' ? 'bad_request' : json.code };
        }),
    },
    found: [
      ...[/the body has key,ok,perusahaan,tenant/, /karyawan is wrong/, /code is not aksi_unknown/],
      ...[/field is missing, not judul/, /ok is not false/, /error shows the inside/, /the key is in the answer/],
    ],
  },
  {
    what: 'fields that are missing from bodies',
    spoil: { after: (answer) => withJson(answer, ({ perusahaan: _, code: __, ...json }) => json) },
    found: [/the body has key,ok, not/, /the body has error,(?:field,)?ok/],
  },
  {
    what: 'accepted input, and an echoed X-Request-Id',
    spoil: {
      after: (answer, { headers, body }) => {
        if (headers['x-request-id']) answer.headers['x-request-id'] = headers['x-request-id'];
        answer.body = answer.body.replace(`"maxLength":${draftLimits.title}`, '"maxLength":50');
        const isRefused = /https:\/\/elsewhere|"user_id":null|userId|user_id%5B/.test(body.toString('latin1'));
        if (answer.status === 400 && isRefused) answerOk(answer, { ok: true, terkirim: 1 });
      },
    },
    found: [
      ...[/url to another site/, /user_id null: never everyone/, /userId, not user_id: never everyone/],
      ...[/user_id\[\] in a form: never everyone/, /judul of 51 characters/, /not echoed/],
    ],
  },
  {
    what: 'sends, and Idempotency-Key is not read',
    spoil: {
      before: ({ headers }) => delete headers['idempotency-key'],
      after: (answer, { headers }) => {
        if (answer.status === 200 && headers['content-type']?.includes('form')) answer.status = 400;
        withJson(answer, (json) => ('terkirim' in json ? { ...json, terkirim: 2 } : json));
      },
    },
    found: [/send as a form/, /terkirim is wrong/, /the same Idempotency-Key for another text/],
    options: toEmployee,
  },
  {
    what: 'no rate limit, and replays without their header',
    spoil: {
      after: (answer) => {
        delete answer.headers['idempotent-replayed'];
        if (answer.status === 429) answerOk(answer, { ok: true, key: 'a', perusahaan: 'b' });
      },
    },
    found: [/never, in 120 requests/, /Idempotent-Replayed/],
    options: [...toEmployee, '--with-429'],
  },
];

test.concurrent.each(deviations)(
  'the contract test finds deviations: $what',
  async ({ spoil, found, options = [] }) => {
    const spoiler = await startSpoiler(spoil);
    const { code, output } = await runContractTest([spoiler.url, ...options], await company.newKey());
    await spoiler.stop();
    const wrong = output.split('\n').filter((line) => line.includes('WRONG'));
    for (const pattern of found) expect(wrong.join('\n')).toMatch(pattern);
    expect(code).toBe(1);
  },
);

test('a server that accepts everything gets no request that could mean everyone', async () => {
  const spoiler = await startSpoiler({
    after: (answer, { method }) => method === 'POST' && answerOk(answer, { ok: true, terkirim: 1 }),
  });
  const { code, output } = await runContractTest([spoiler.url], await company.newKey());
  await spoiler.stop();
  expect(code).toBe(1);
  for (const row of ['user_id null', 'userId, not user_id', 'user_id\\[\\] in a form'])
    expect(output).toMatch(new RegExp(`${row}: never everyone.*not safe here`));
  const bodies = spoiler.received.filter(({ method }) => method === 'POST').map(({ body }) => body.toString('latin1'));
  expect(bodies.length).toBeGreaterThan(30);
  for (const body of bodies) expect(body).toMatch(/user_id"?(?:[:=]|\r\n\r\n)"? ?214748364[67]\b/);
});
