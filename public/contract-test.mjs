#!/usr/bin/env node
// Checks a deployment of the Staff Notification API against its contract, with one key. It needs
// only Node 18 or newer.
//
//   NOTIF_KEY=jss_… node contract-test.mjs https://notif.example.com --employee 7
//
// It works with every implementation of the contract. It never sends to everyone: each body names
// one employee, the one of --employee or an id that does not exist. Without --employee it sends
// nothing.

import { randomUUID } from 'node:crypto';

const usage = `Usage: node contract-test.mjs BASE [KEY] [--employee ID] [--with-429]

  BASE           address of the deployment, such as https://notif.example.com
  KEY            API key; better in the environment variable NOTIF_KEY, which no shell history keeps
  --employee ID  send three notifications to this one employee; without it nothing is sent
  --with-429     also use up the key's 60 requests of this minute, at the end

It uses some 50 of the key's 60 requests a minute and waits when too few are left. 500 and 503 cannot be provoked from outside.
Ends with 0 when everything is as it should be, 1 when something is not, 2 for wrong use.`;

const path = '/api/v1/notif.php';
const requestsPerMinute = 60;
/** An id that does not exist: the largest possible one. */
const unknownId = 2147483647;

// ── The arguments ──

function stopForWrongUse(why) {
  process.stderr.write(`${why}\n\n${usage}\n`);
  process.exit(2);
}

function readArguments(given) {
  const options = { employee: null, with429: false };
  const plain = [];
  for (let at = 0; at < given.length; at++) {
    const [name, value] = given[at].split('=', 2);
    if (name === '--help' || name === '-h') {
      process.stdout.write(`${usage}\n`);
      process.exit(0);
    } else if (name === '--with-429') options.with429 = true;
    else if (name === '--employee') options.employee = value ?? given[++at] ?? '';
    else if (name.startsWith('-')) stopForWrongUse(`Unknown option: ${name}`);
    else plain.push(given[at]);
  }
  const [base = '', key = process.env.NOTIF_KEY ?? '', ...rest] = plain;
  if (rest.length > 0) stopForWrongUse('Too many arguments.');
  if (!/^https?:\/\/[^/?#]+/.test(base))
    stopForWrongUse('BASE must be an address that begins with http:// or https://.');
  if (key === '') stopForWrongUse('No key: give KEY, or set NOTIF_KEY.');
  if (!/^jss_[0-9A-Za-z]{64}$/.test(key)) stopForWrongUse('The key must be "jss_" and 64 letters and digits.');
  if (options.employee !== null && !/^[1-9][0-9]{0,9}$/.test(options.employee))
    stopForWrongUse('--employee must be one user_id, a whole number from 1.');
  return {
    origin: base.replace(/\/+$/, '').replace(path, ''),
    key,
    employee: options.employee === null ? null : Number(options.employee),
    with429: options.with429,
  };
}

const { origin, key, employee, with429 } = readArguments(process.argv.slice(2));

// ── The result: one line for each check ──

const lines = [];
const note = (what, expected, got, ok) => lines.push({ what, expected, got, ok });
const notTried = (what, why) => note(what, why, 'not tried', null);

function printTable() {
  const cut = (text, width) => (text.length > width ? `${text.slice(0, width - 1)}…` : text);
  const rows = [{ what: 'What', expected: 'Expected', got: 'Got', ok: 'OK' }, ...lines];
  const width = (name, most) => Math.min(most, Math.max(...rows.map((row) => row[name].length)));
  const [first, second] = [width('what', 64), width('expected', 44)];
  for (const { what, expected, got, ok } of rows) {
    const mark = typeof ok === 'string' ? ok : ok === null ? '-' : ok ? 'ok' : 'WRONG';
    // The last column is never cut.
    process.stdout.write(
      `${cut(what, first).padEnd(first)}  ${cut(expected, second).padEnd(second)}  ${mark.padEnd(5)}  ${got}\n`,
    );
  }
  const [right, wrong, untried] = [true, false, null].map((ok) => lines.filter((line) => line.ok === ok).length);
  process.stdout.write(
    `\n${right} ok, ${wrong} wrong, ${untried} not tried; ${spent} requests with the key, ${sent} sends to employee ${employee ?? '-'}\n`,
  );
}

// ── Requests ──

let spent = 0;
let sent = 0;
let remaining = null;
let documented = null;
const ids = new Set();
const counted = [];

const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

async function waitWhenFewAreLeft() {
  if (remaining === null || remaining > 2) return;
  process.stderr.write(`Only ${remaining} requests are left in this minute; waiting 60 seconds.\n`);
  await wait(60);
  remaining = null;
}

/**
 * Sends one request. `keyed`: it carries the key in a valid way, so it counts for the rate limit.
 */
async function ask({ search = '', method = 'GET', headers = {}, body, keyed = true }) {
  const sending = keyed ? { 'X-API-Key': key, ...headers } : headers;
  const response = await fetch(`${origin}${path}${search}`, { method, headers: sending, body, redirect: 'manual' });
  const text = await response.text();
  const left = response.headers.get('x-ratelimit-remaining');
  if (keyed && response.status !== 401) {
    spent++;
    remaining = /^[0-9]+$/.test(left ?? '') ? Number(left) : null;
    if (response.status !== 429 && remaining !== null) counted.push({ remaining, at: Date.now() });
  }
  let json = null;
  try {
    json = JSON.parse(text);
  } catch {}
  return { method, status: response.status, headers: response.headers, text, json };
}

/** Like `ask`, but waits for the next minute when the rate limit is reached. */
async function askInTime(request) {
  if (request.keyed === false) return ask(request);
  await waitWhenFewAreLeft();
  const answer = await ask(request);
  if (answer.status !== 429) return answer;
  process.stderr.write('Another program uses this key; waiting 60 seconds.\n');
  await wait(60);
  return ask(request);
}

// ── What every response must have ──

const isText = (value) => typeof value === 'string' && value !== '';

function findCommonProblems({ method, status, headers, text, json }) {
  const wrong = [];
  const must = (holds, problem) => holds || wrong.push(problem);
  const header = (name, expected) =>
    must(headers.get(name) === expected, `${name} is ${headers.get(name) ?? 'missing'}, not ${expected}`);
  header('content-type', 'application/json; charset=utf-8');
  header('cache-control', 'no-store');
  header('x-content-type-options', 'nosniff');
  header('x-ratelimit-limit', String(requestsPerMinute));
  must(/^([0-9]|[1-5][0-9]|60)$/.test(headers.get('x-ratelimit-remaining') ?? ''), 'x-ratelimit-remaining is not 0…60');
  const standard = /;\s*r=([0-9]+)/.exec(headers.get('ratelimit') ?? '');
  must(!standard || standard[1] === headers.get('x-ratelimit-remaining'), 'ratelimit and x-ratelimit-remaining differ');
  const id = headers.get('x-request-id') ?? '';
  must(id !== '', 'x-request-id is missing');
  must(!ids.has(id), 'x-request-id came before');
  ids.add(id);
  for (const name of headers.keys()) must(!/^(set-cookie|location|access-control-.*)$/.test(name), `${name} was sent`);
  for (const name of documented?.headersOf(method, status) ?? [])
    must(headers.has(name), `${name} is missing, though the OpenAPI document promises it`);
  must(!`${text}${[...headers.values()].join()}`.includes(key), 'the key is in the answer');
  if (method === 'HEAD') must(text === '', 'there is a body');
  else must(json !== null && typeof json === 'object', 'the body is not JSON');
  return wrong;
}

const ownHeaders = {
  401: [
    ['www-authenticate', 'Bearer'],
    ['x-ratelimit-remaining', '0'],
  ],
  405: [['allow', 'GET, HEAD, POST']],
  429: [
    ['retry-after', '60'],
    ['x-ratelimit-remaining', '0'],
  ],
};

function findFailureProblems({ method, status, headers, json }, { code, field }) {
  const wrong = (ownHeaders[status] ?? [])
    .filter(([name, expected]) => headers.get(name) !== expected)
    .map(([name, expected]) => `${name} is ${headers.get(name) ?? 'missing'}, not ${expected}`);
  if (method === 'HEAD' || json === null) return wrong;
  const names = Object.keys(json).sort().join();
  if (names !== 'code,error,ok' && names !== 'code,error,field,ok') wrong.push(`the body has ${names}`);
  if (json.ok !== false) wrong.push('ok is not false');
  if (!isText(json.error) || json.error.length < 20) wrong.push('error is no sentence');
  if (/\bat .+:[0-9]+:[0-9]+|\bselect\b.+\bfrom\b|ECONN/i.test(json.error ?? '')) wrong.push('error shows the inside');
  if (code && json.code !== code) wrong.push(`code is not ${code}`);
  if (field && json.field !== field) wrong.push(`field is ${json.field ?? 'missing'}, not ${field}`);
  return wrong;
}

/**
 * One row: sends a request and compares the response with the expected status, `code` and `field`.
 * For a 200 `body` is a function that returns a problem.
 */
async function check(what, request, expected) {
  const wanted = [expected.status, expected.code, expected.field && `field ${expected.field}`]
    .filter(Boolean)
    .join(' ');
  let answer;
  try {
    answer = await askInTime(request);
  } catch (error) {
    note(what, wanted, `no answer: ${error.cause?.code ?? error.message}`, false);
    return null;
  }
  const { status, json } = answer;
  const wrong = findCommonProblems(answer);
  if (status !== expected.status) wrong.unshift(`the status is not ${expected.status}`);
  else if (status !== 200) wrong.push(...findFailureProblems(answer, expected));
  else if (request.method !== 'HEAD' && json !== null) wrong.push(...[expected.body?.(json) ?? []].flat());
  const got = [status, json?.code, json?.field && `field ${json.field}`].filter(isShown).join(' ');
  note(what, wanted, wrong.length === 0 ? got : `${got}: ${wrong.join('; ')}`, wrong.length === 0);
  return wrong.length === 0 ? answer : null;
}

const isShown = (part) => typeof part === 'number' || isText(part);

/** Makes a function that finds the problem of an object, which must have exactly these fields. */
const shape = (fields) => (json) => {
  const names = Object.keys(json).sort().join();
  const expected = Object.keys(fields).sort().join();
  if (names !== expected) return `the body has ${names}, not ${expected}`;
  return Object.entries(fields)
    .filter(([name, holds]) => !holds(json[name]))
    .map(([name]) => `${name} is wrong`);
};

// ── Bodies that can reach one employee at most ──

const encoder = new TextEncoder();
const asJson = 'application/json';
const asForm = 'application/x-www-form-urlencoded';
const plain = { judul: 'Uji kontrak', isi: 'Pesan uji dari contract-test.mjs.' };

/**
 * Makes a POST. Throws when the body could reach everyone: its first field must be `user_id` with
 * the employee or the id that does not exist, or it must have a link that the server refused before
 * (`refusedAnyway`).
 */
function post(type, body, { headers = {}, refusedAnyway = false } = {}) {
  const bytes = typeof body === 'string' ? encoder.encode(body) : body;
  const text = new TextDecoder().decode(bytes);
  const named = /^\W*user_id"?\s*(?:[:=]|[\r\n]+)\s*"? ?([0-9]+)/.exec(text.replace(/^--.*?name=(?="user_id)/s, ''));
  const target = Number(named?.[1] ?? 0);
  // A fraction is cut to the id below.
  const safe = target === unknownId || target === unknownId - 1 || (employee !== null && target === employee);
  if (!safe && !(refusedAnyway && /"url":"\/\/|&url=%2F%2F/.test(text)))
    throw new Error(`This might reach everyone: ${text}`);
  const typed = type === null ? {} : { 'Content-Type': type };
  return { method: 'POST', headers: { ...typed, ...headers }, body: bytes };
}

const json = (fields, more) => post(asJson, JSON.stringify({ user_id: unknownId, ...plain, ...fields }), more);
const form = (fields) => post(asForm, String(new URLSearchParams({ user_id: unknownId, ...plain, ...fields })));
const boundary = 'contract-test';
const part = (name, value, more = '') =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const multipart = (parts) => post(`multipart/form-data; boundary=${boundary}`, `${parts.join('')}--${boundary}--\r\n`);
const without = (name) => post(asJson, JSON.stringify({ user_id: unknownId, ...plain, [name]: undefined }));

// ── An unknown key ──

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

function crc32(text) {
  let crc = -1;
  for (const byte of encoder.encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ -1) >>> 0;
}

/** Makes a well-formed unknown key: 58 characters and their checksum, 6 digits in base 62. */
function makeStrangeKey() {
  const secret = randomUUID().replaceAll('-', '').padEnd(58, randomUUID().replaceAll('-', '')).slice(0, 58);
  let rest = crc32(secret);
  let digits = '';
  for (let place = 0; place < 6; place++, rest = Math.floor(rest / 62)) digits = alphabet[rest % 62] + digits;
  return `jss_${secret}${digits}`;
}

const strange = makeStrangeKey();

// ── The document, if the deployment has one ──

async function readDocument() {
  const what = 'OpenAPI document at /api/v1/openapi.json';
  try {
    const response = await fetch(`${origin}/api/v1/openapi.json`, { redirect: 'manual' });
    if (response.status !== 200) return notTried(what, `it has none (${response.status})`);
    const document = await response.json();
    const operations = document.paths?.[path];
    const resolve = (node) =>
      node?.$ref
        ? node.$ref
            .slice(2)
            .split('/')
            .reduce((at, name) => at?.[name], document)
        : node;
    const headersOf = (method, status) => {
      const answer = resolve(operations?.[method === 'POST' ? 'post' : 'get']?.responses?.[status]);
      return Object.entries(answer?.headers ?? {})
        .filter(([, header]) => resolve(header)?.required)
        .map(([name]) => name);
    };
    const right = /^3\.1\./.test(document.openapi) && operations !== undefined;
    note(what, `OpenAPI 3.1 with ${path}`, right ? `OpenAPI ${document.openapi}` : 'something else', right);
    if (right) documented = { headersOf };
  } catch (error) {
    note(what, 'JSON', `${error.cause?.code ?? error.message}`, false);
  }
}

// ── The rows ──

async function checkReadings() {
  const ping = shape({ ok: (ok) => ok === true, key: isText, perusahaan: isText });
  const works = await check('ping, key in X-API-Key', { search: '?aksi=ping' }, { status: 200, body: ping });
  const inBearer = { search: '?aksi=ping', headers: { 'X-API-Key': '', Authorization: `Bearer ${key}` } };
  const worksToo = await check('ping, key in Authorization: Bearer', inBearer, { status: 200, body: ping });
  if (works === null && worksToo === null && !lines.some(({ got }) => got.startsWith('200'))) return null;
  const beside = {
    Authorization: 'Basic dXNlcjpwYXNz',
    Cookie: 'a=b',
    'X-Request-Id': 'mine',
    Origin: 'https://elsewhere.example',
  };
  const asked = await check(
    "ping, beside a gate's Basic, a cookie and an Origin",
    { search: '?aksi=ping', headers: beside },
    { status: 200, body: ping },
  );
  if (asked)
    note(
      "a caller's own X-Request-Id is not echoed",
      'another',
      asked.headers.get('x-request-id') === 'mine' ? 'the same' : 'another',
      asked.headers.get('x-request-id') !== 'mine',
    );
  await check('HEAD is GET without a body', { search: '?aksi=ping', method: 'HEAD' }, { status: 200 });
  const person = shape({
    user_id: (id) => Number.isInteger(id) && id > 0,
    nama: isText,
    peran: (role) => typeof role === 'string',
  });
  const sorted = (people) => people.every(({ user_id }, at) => at === 0 || people[at - 1].user_id < user_id);
  const list = shape({
    ok: (ok) => ok === true,
    karyawan: (people) => Array.isArray(people) && people.every((one) => person(one).length === 0) && sorted(people),
  });
  return check(
    'karyawan: user_id, nama, peran of each, by user_id',
    { search: '?aksi=karyawan' },
    { status: 200, body: list },
  );
}

async function checkKeys() {
  const ping = (headers, search = '?aksi=ping') => ({ search, headers, keyed: false });
  const refused = (what, request, code) => check(`401: ${what}`, request, { status: 401, code });
  await refused('no key', ping({}), 'key_missing');
  await refused('an empty header', ping({ 'X-API-Key': '' }), 'key_missing');
  await refused('a key in the query', ping({}, `?aksi=ping&key=${strange}`), 'key_in_query');
  await refused('a key in a cookie', ping({ Cookie: `X-API-Key=${strange}` }), 'key_missing');
  await refused('a key without Bearer', ping({ Authorization: strange }), 'key_without_bearer');
  await refused('a key that is too short', ping({ 'X-API-Key': strange.slice(0, -1) }), 'key_malformed');
  const last = strange.endsWith('0') ? '1' : '0';
  await refused('a key with a wrong checksum', ping({ 'X-API-Key': strange.slice(0, -1) + last }), 'key_malformed');
  await refused('an unknown key', ping({ 'X-API-Key': strange }), 'key_rejected');
  await refused(
    'the key in both headers',
    ping({ 'X-API-Key': key, Authorization: `Bearer ${key}` }),
    'key_in_both_headers',
  );
  await refused('DELETE without a key', { method: 'DELETE', keyed: false }, 'key_missing');
  await refused(
    'a broken body without a key',
    { ...post(asJson, `{"user_id":${unknownId},`), keyed: false },
    'key_missing',
  );
  await refused(
    'OPTIONS without a key, as browsers ask',
    {
      method: 'OPTIONS',
      keyed: false,
      headers: { Origin: 'https://elsewhere.example', 'Access-Control-Request-Method': 'POST' },
    },
    'key_missing',
  );
}

const refuse = (what, request, code, field) => check(`400: ${what}`, request, { status: 400, code, field });

async function checkQueries() {
  await refuse(
    'no aksi; sending by GET does not exist',
    { search: `?judul=a&isi=b&user_id=${unknownId}` },
    'aksi_missing',
    'aksi',
  );
  await refuse('aksi in capitals', { search: '?aksi=PING' }, 'aksi_unknown', 'aksi');
  await refuse('aksi twice', { search: '?aksi=ping&aksi=ping' }, 'aksi_repeated', 'aksi');
}

async function checkBodies() {
  const text = JSON.stringify({ user_id: unknownId, ...plain });
  await refuse('no Content-Type', post(null, text), 'content_type_missing');
  await refuse('Content-Type text/plain', post('text/plain', text), 'content_type_unsupported');
  await refuse('charset iso-8859-1', post(`${asJson}; charset=iso-8859-1`, text), 'charset_unsupported');
  await refuse(
    'a compressed body',
    post(asJson, text, { headers: { 'Content-Encoding': 'gzip' } }),
    'content_encoding_unsupported',
  );
  await refuse('JSON that is cut off', post(asJson, text.slice(0, -1)), 'json_malformed');
  await refuse('an array', post(asJson, `[${text}]`.replace('[{', '[ {')), 'json_not_object');
  await refuse('JSON labelled as a form', post(asForm, text), 'json_labelled_as_form');
  await refuse('a form labelled as JSON', post(asJson, `user_id=${unknownId}&judul=a&isi=b`), 'form_labelled_as_json');
  await refuse('a form with a bare %', post(asForm, `user_id=${unknownId}&judul=100%&isi=b`), 'form_malformed');
  await refuse(
    'a form with a field twice',
    post(asForm, `user_id=${unknownId}&judul=a&judul=b&isi=c`),
    'field_repeated',
    'judul',
  );
  const invalid = Uint8Array.from([
    ...encoder.encode(`{"user_id":${unknownId},"judul":"`),
    0xff,
    ...encoder.encode('","isi":"b"}'),
  ]);
  await refuse('bytes that are not UTF-8', post(asJson, invalid), 'body_not_utf8');
  await refuse(
    'a file in a form',
    multipart([part('user_id', unknownId), part('judul', 'a'), part('isi', 'b'), part('x', 'y', '; filename="x.txt"')]),
    'file_not_accepted',
  );
  await refuse('more than 64 KiB', json({ x: 'x'.repeat(65536) }), 'body_too_large');
}

async function checkFields() {
  await refuse('judul missing', without('judul'), 'field_missing', 'judul');
  await refuse('isi missing', without('isi'), 'field_missing', 'isi');
  await refuse('judul blank', json({ judul: ' \u200b' }), 'field_blank', 'judul');
  await refuse('judul a number', json({ judul: 5 }), 'field_not_text', 'judul');
  await refuse('judul of 121 characters', json({ judul: '\u{1F600}'.repeat(121) }), 'field_too_long', 'judul');
  await refuse('isi of 256 characters', json({ isi: 'x'.repeat(256) }), 'field_too_long', 'isi');
  await refuse('a NUL in isi', json({ isi: 'a\0' }), 'field_forbidden_character', 'isi');
  await refuse('user_id with a fraction', json({ user_id: unknownId - 0.5 }), 'user_id_not_integer', 'user_id');
  await refuse(
    'user_id as a text with a blank before it',
    json({ user_id: ` ${unknownId}` }),
    'user_id_not_integer',
    'user_id',
  );
  await refuse('url to another site', json({ url: 'https://elsewhere.example/' }), 'url_not_internal', 'url');
  await refuse('url with a backslash', json({ url: '/\\elsewhere.example' }), 'url_not_internal', 'url');
  await refuse('url empty', json({ url: '' }), 'url_not_internal', 'url');
  const guarded = await refuse(
    'url that begins with //',
    json({ url: '//elsewhere.example' }),
    'url_not_internal',
    'url',
  );
  for (const [name, value] of [
    ['null', null],
    ['an empty text', ''],
  ]) {
    const what = `user_id ${name}: never everyone`;
    // Safe even if the server accepts null as everyone: it refused this link before.
    if (!guarded) notTried(`400: ${what}`, 'not safe here: // was not refused');
    else
      await refuse(
        what,
        json({ user_id: value, url: '//elsewhere.example' }, { refusedAnyway: true }),
        'user_id_empty',
        'user_id',
      );
  }
  const guardedForm = await refuse(
    'the same url in a form',
    form({ url: '//elsewhere.example' }),
    'url_not_internal',
    'url',
  );
  const misspelt = { userId: unknownId, ...plain, url: '//elsewhere.example' };
  for (const [what, isSafe, type, body] of [
    ['userId, not user_id: never everyone', guarded, asJson, JSON.stringify(misspelt)],
    ['userId in a form: never everyone', guardedForm, asForm, String(new URLSearchParams(misspelt))],
  ]) {
    // Safe even if the server ignores the field: it refused this link before.
    if (!isSafe) notTried(`400: ${what}`, 'not safe here: // was not refused');
    else await refuse(what, post(type, body, { refusedAnyway: true }), 'user_id_misspelt', 'user_id');
  }
  await refuse(
    'Idempotency-Key with a blank',
    json({}, { headers: { 'Idempotency-Key': 'a b' } }),
    'idempotency_key_malformed',
  );
}

async function checkTargetsAndMethods() {
  const missing = { status: 404, code: 'employee_not_in_company' };
  await check(`404: user_id ${unknownId}`, json({}), missing);
  await check('404: the same as a form', form({}), missing);
  for (const method of ['PUT', 'DELETE', 'OPTIONS'])
    await check(`405: ${method}`, { method, search: '?aksi=ping' }, { status: 405, code: 'method_not_allowed' });
}

const english = /\b(the|is|must|not|was|this|only|has|have|to)\b/i;
const indonesian = /\b(yang|tidak|harus|dan|atau|dengan|hanya|kunci|ini|pakai|wajib|untuk)\b/i;

async function checkLanguages() {
  const rows = [
    [400, { search: '?aksi=PING' }],
    [401, { search: '?aksi=ping', keyed: false }],
    [404, json({})],
    [405, { method: 'PUT' }],
  ];
  for (const [status, request] of rows) {
    const said = {};
    for (const language of ['en', 'id-ID,id;q=0.9,en;q=0.8']) {
      const headers = { ...request.headers, 'Accept-Language': language };
      said[language.slice(0, 2)] = (await askInTime({ ...request, headers })).json ?? {};
    }
    const { en, id } = said;
    const right = english.test(en.error) && indonesian.test(id.error) && en.error !== id.error && en.code === id.code;
    const got = right ? 'both' : `en: ${en.error ?? '-'} id: ${id.error ?? '-'}`;
    note(`${status} in English and in Indonesian, one code`, 'both', got, right);
  }
}

async function checkSends(list) {
  const rows = [
    'send as JSON, with an Idempotency-Key',
    'the same again: the first answer, nothing sent',
    'the same Idempotency-Key for another text',
    'send as a form, unknown jenis',
    'send as multipart',
  ];
  const skip = (why) => {
    for (const what of rows) notTried(what, why);
  };
  if (employee === null) return skip('needs --employee');
  if (!list?.json.karyawan.some(({ user_id }) => user_id === employee)) {
    skip('the employee is not in the list');
    return note('--employee', `${employee} is in the list of employees`, 'it is not', false);
  }
  const one = {
    status: 200,
    body: shape({ ok: (ok) => ok === true, terkirim: (count) => count === 0 || count === 1 }),
  };
  const headers = { 'Idempotency-Key': `contract-test-${randomUUID()}` };
  const send = async (what, request) => {
    const answer = await check(what, request, one);
    if (answer) sent += answer.json.terkirim;
    return answer;
  };
  const toOne = (fields = {}) => json({ user_id: employee, ...fields }, { headers });
  const first = await send(rows[0], toOne({ jenis: 'info', url: '/portal/notifications' }));
  const same = toOne({ jenis: 'info', url: '/portal/notifications' });
  const again = await check(rows[1], same, one);
  if (first && again) {
    const right =
      again.text === first.text &&
      again.headers.get('idempotent-replayed') === 'true' &&
      !first.headers.has('idempotent-replayed');
    note('Idempotent-Replayed: true on the second only', 'true', right ? 'true' : 'not so, or another body', right);
  }
  await check(rows[2], toOne({ judul: 'Lain' }), { status: 400, code: 'idempotency_key_reused' });
  await send(rows[3], form({ user_id: employee, jenis: 'tidak-dikenal' }));
  await send(rows[4], multipart([part('user_id', employee), part('judul', plain.judul), part('isi', plain.isi)]));
}

// A later request has fewer left, or the minute ended in between.
function checkCounting() {
  const turns = counted.filter(
    ({ remaining: left }, place) => place > 0 && left >= counted[place - 1].remaining,
  ).length;
  const minutes = Math.ceil((Date.now() - counted[0].at) / 60_000);
  const right = turns <= minutes;
  const got = `${counted[0].remaining} … ${counted.at(-1).remaining}`;
  note('every request with the key spends one', 'Remaining falls by one', got, right);
}

async function checkLimit() {
  const what = `429: more than ${requestsPerMinute} in a minute`;
  if (!with429) return notTried(what, 'needs --with-429');
  for (let request = 0; request <= 2 * requestsPerMinute; request++) {
    const answer = await ask({ search: '?aksi=ping' });
    if (answer.status === 200) continue;
    const wrong = [...findCommonProblems(answer), ...findFailureProblems(answer, { code: 'rate_limited' })];
    if (answer.status !== 429) wrong.unshift('the status is not 429');
    if (counted.at(-1)?.remaining !== 0) wrong.push('it came before Remaining was 0');
    const got = `${answer.status} ${answer.json?.code ?? ''}`;
    note(what, '429 rate_limited', [got, ...wrong].join('; '), wrong.length === 0);
    const method = await ask({ method: 'DELETE' });
    note('429 comes before 405', '429', String(method.status), method.status === 429);
    const unknown = await ask({ search: '?aksi=ping', keyed: false, headers: { 'X-API-Key': strange } });
    return note('401 comes before 429', '401', String(unknown.status), unknown.status === 401);
  }
  note(what, '429 rate_limited', `never, in ${2 * requestsPerMinute} requests`, false);
}

async function run() {
  await readDocument();
  const list = await checkReadings();
  await checkKeys();
  if (!lines.some(({ what, got }) => what.startsWith('ping') && got.startsWith('200')))
    return notTried('everything that needs a key', 'the key was not accepted');
  await checkQueries();
  await checkBodies();
  await checkFields();
  await checkTargetsAndMethods();
  await checkLanguages();
  await checkSends(list);
  checkCounting();
  await checkLimit();
}

try {
  await run();
} catch (error) {
  note('the test itself', 'runs to its end', error.cause?.code ?? error.message, false);
}
printTable();
process.exitCode = lines.some(({ ok }) => ok === false) ? 1 : 0;
