#!/usr/bin/env node
// Checks a deployment of the Staff Notification API against its contract, with one key. It needs only Node 22 or newer.
//
//   NOTIF_KEY=jss_… node contract-test.mjs https://notif.example.com --employee 7
//
// It works with every implementation of the contract. It never sends to everyone: each body names
// one employee, the one of --employee or an id that does not exist, or it has a link that the server
// refused before. Without --employee it sends nothing.

import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';

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

function readArguments() {
  const flag = { type: 'boolean' };
  const options = { employee: { type: 'string' }, 'with-429': flag, help: { ...flag, short: 'h' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  const [base = '', key = process.env.NOTIF_KEY ?? '', ...rest] = positionals;
  const must = (holds, problem) => {
    if (!holds) throw new Error(problem);
  };
  must(rest.length === 0, 'Too many arguments.');
  must(/^https?:\/\/[^/?#]+/.test(base), 'BASE must be an address that begins with http:// or https://.');
  must(key !== '', 'No key: give KEY, or set NOTIF_KEY.');
  must(/^jss_[0-9A-Za-z]{64}$/.test(key), 'The key must be "jss_" and 64 letters and digits.');
  must(/^[1-9][0-9]{0,9}$/.test(values.employee ?? '1'), '--employee must be one user_id, a whole number from 1.');
  const employee = values.employee === undefined ? null : Number(values.employee);
  return { origin: base.replace(/\/+$/, '').replace(path, ''), key, employee, with429: values['with-429'] };
}

let settings;
try {
  settings = readArguments();
} catch (error) {
  console.error(`${error.message}\n\n${usage}`);
  process.exit(2);
}
const { origin, key, employee, with429 } = settings;

// ── The result: one line for each check ──

const counts = { ok: 0, WRONG: 0, 'not tried': 0 };
let acceptsKey = false;

function note(mark, what, about) {
  counts[mark]++;
  console.log(`${mark.padEnd(9)}  ${what}: ${about}`);
}
const judge = (what, isRight, about) => note(isRight ? 'ok' : 'WRONG', what, about);

// ── Requests ──

let spent = 0;
let sent = 0;
let remaining = null;
let turns = 0;
const startedAt = Date.now();
const ids = new Set();

async function waitForNextMinute(why) {
  console.error(`${why}; waiting 60 seconds.`);
  await new Promise((resolve) => setTimeout(resolve, 60_000));
  remaining = null;
}

/** Sends one request. `keyed`: it carries the key in a valid way, so it counts for the rate limit. */
async function ask({ search = '', method = 'GET', headers = {}, body, keyed = true }) {
  const sending = keyed ? { 'X-API-Key': key, ...headers } : headers;
  const response = await fetch(`${origin}${path}${search}`, { method, headers: sending, body, redirect: 'manual' });
  const text = await response.text();
  if (keyed && response.status !== 401) {
    spent++;
    const left = Number(response.headers.get('x-ratelimit-remaining') ?? Number.NaN);
    // A later request has fewer left, or the minute ended in between.
    if (response.status !== 429 && remaining !== null && left >= remaining) turns++;
    remaining = left;
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
  if (remaining !== null && remaining <= 2) await waitForNextMinute(`Only ${remaining} requests are left`);
  const answer = await ask(request);
  if (answer.status !== 429) return answer;
  await waitForNextMinute('Another program uses this key');
  return ask(request);
}

// ── What responses must have ──

const isText = (value) => typeof value === 'string' && value !== '';

const headersOf = {
  401: { 'www-authenticate': 'Bearer', 'x-ratelimit-remaining': '0' },
  405: { allow: 'GET, HEAD, POST' },
  429: { 'retry-after': '60', 'x-ratelimit-remaining': '0' },
};

function findCommonProblems({ method, status, headers, text, json }) {
  const wrong = [];
  const must = (holds, problem) => holds || wrong.push(problem);
  const expected = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-ratelimit-limit': String(requestsPerMinute),
    ...headersOf[status],
  };
  for (const [name, value] of Object.entries(expected))
    must(headers.get(name) === value, `${name} is ${headers.get(name) ?? 'missing'}, not ${value}`);
  must(/^([0-9]|[1-5][0-9]|60)$/.test(headers.get('x-ratelimit-remaining') ?? ''), 'x-ratelimit-remaining is not 0…60');
  const id = headers.get('x-request-id') ?? '';
  must(id !== '', 'x-request-id is missing');
  must(!ids.has(id), 'x-request-id came before');
  ids.add(id);
  for (const name of headers.keys()) must(!/^(set-cookie|location|access-control-.*)$/.test(name), `${name} was sent`);
  must(!`${text}${[...headers.values()].join()}`.includes(key), 'the key is in the answer');
  if (method === 'HEAD') must(text === '', 'there is a body');
  else must(json !== null && typeof json === 'object', 'the body is not JSON');
  return wrong;
}

function findFailureProblems(json, { code, field }) {
  const wrong = [];
  const names = Object.keys(json).sort().join();
  if (names !== 'code,error,ok' && names !== 'code,error,field,ok') wrong.push(`the body has ${names}`);
  if (json.ok !== false) wrong.push('ok is not false');
  if (!isText(json.error) || json.error.length < 20) wrong.push('error is no sentence');
  if (/\bat .+:[0-9]+:[0-9]+|\bselect\b.+\bfrom\b|ECONN/i.test(json.error ?? '')) wrong.push('error shows the inside');
  if (code && json.code !== code) wrong.push(`code is not ${code}`);
  if (field && json.field !== field) wrong.push(`field is ${json.field ?? 'missing'}, not ${field}`);
  return wrong;
}

/** Makes a function that finds the problems of an object, which must have exactly these fields. */
const shape = (fields) => (json) => {
  const names = Object.keys(json).sort().join();
  const expected = Object.keys(fields).sort().join();
  if (names !== expected) return [`the body has ${names}, not ${expected}`];
  return Object.entries(fields).flatMap(([name, holds]) => (holds(json[name]) ? [] : [`${name} is wrong`]));
};

/**
 * One row: sends a request and compares the response with the expected status, `code` and `field`.
 * For a 200 `body` is a function that returns problems.
 */
async function check(what, request, expected) {
  let answer;
  try {
    answer = await askInTime(request);
  } catch (error) {
    judge(what, false, `no answer: ${error.cause?.code ?? error.message}`);
    return null;
  }
  const { status, json } = answer;
  const wrong = findCommonProblems(answer);
  if (status !== expected.status) wrong.unshift(`the status is not ${expected.status}`);
  else if (request.method !== 'HEAD' && json !== null)
    wrong.push(...(status === 200 ? (expected.body?.(json) ?? []) : findFailureProblems(json, expected)));
  judge(what, wrong.length === 0, [`${status} ${json?.code ?? ''}`.trim(), ...wrong].join('; '));
  return wrong.length === 0 ? answer : null;
}

// ── Bodies ──

const encoder = new TextEncoder();
const asJson = 'application/json';
const asForm = 'application/x-www-form-urlencoded';
const elsewhere = 'https://elsewhere.example';
const plain = { judul: 'Uji kontrak', isi: 'Pesan uji dari contract-test.mjs.' };

const post = (type, body, headers = {}) => ({
  method: 'POST',
  headers: type === null ? headers : { 'Content-Type': type, ...headers },
  // As bytes: for a text `fetch` adds a Content-Type.
  body: typeof body === 'string' ? encoder.encode(body) : body,
});
const json = (fields, headers) => post(asJson, JSON.stringify({ user_id: unknownId, ...plain, ...fields }), headers);
const asFields = (fields) => String(new URLSearchParams(fields));
const form = (fields) => post(asForm, asFields({ user_id: unknownId, ...plain, ...fields }));
const part = (name, value, more = '') =>
  `--contract-test\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const multipart = (parts) =>
  post('multipart/form-data; boundary=contract-test', `${parts.join('')}--contract-test--\r\n`);

// ── An unknown key ──

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Makes a well-formed unknown key: 58 characters and their checksum, 6 digits in base 62. */
function makeUnknownKey() {
  const secret = `${randomUUID()}${randomUUID()}`.replaceAll('-', '').slice(0, 58);
  let rest = crc32(secret);
  let digits = '';
  for (let place = 0; place < 6; place++, rest = Math.floor(rest / 62)) digits = alphabet[rest % 62] + digits;
  return `jss_${secret}${digits}`;
}

const unknownKey = makeUnknownKey();

/** The limits of texts that the deployment documents; empty where it has no OpenAPI document. */
async function readLimits() {
  const answer = await fetch(`${origin}/api/v1/openapi.json`).catch(() => null);
  const document = await answer?.json().catch(() => null);
  const { judul, isi } = document?.components?.schemas?.Notification?.properties ?? {};
  return { judul: judul?.maxLength, isi: isi?.maxLength };
}

// ── The rows ──

const isTrue = (ok) => ok === true;

async function checkReadings() {
  const ping = { status: 200, body: shape({ ok: isTrue, key: isText, perusahaan: isText }) };
  const search = '?aksi=ping';
  const first = await check('ping, key in X-API-Key', { search }, ping);
  const inBearer = { search, headers: { 'X-API-Key': '', Authorization: `Bearer ${key}` } };
  const second = await check('ping, key in Authorization: Bearer', inBearer, ping);
  acceptsKey = first !== null || second !== null || spent > 0;
  if (!acceptsKey) return null;
  const beside = { Authorization: 'Basic dXNlcjpwYXNz', Cookie: 'a=b', 'X-Request-Id': 'mine', Origin: elsewhere };
  const asked = await check("ping, beside a gate's Basic, a cookie and an Origin", { search, headers: beside }, ping);
  const id = asked?.headers.get('x-request-id') ?? 'none';
  if (asked) judge("a caller's own X-Request-Id is not echoed", id !== 'mine', id);
  await check('HEAD is GET without a body', { search, method: 'HEAD' }, { status: 200 });
  const person = shape({
    user_id: (id) => Number.isInteger(id) && id > 0,
    nama: isText,
    peran: (role) => typeof role === 'string',
  });
  const isList = (people) =>
    Array.isArray(people) &&
    people.every((one, at) => person(one).length === 0 && (at === 0 || people[at - 1].user_id < one.user_id));
  const list = { status: 200, body: shape({ ok: isTrue, karyawan: isList }) };
  return check('karyawan: user_id, nama, peran of each, by user_id', { search: '?aksi=karyawan' }, list);
}

async function checkKeys() {
  const withHeaders = (headers, search = '?aksi=ping') => ({ search, headers });
  const wrongEnd = unknownKey.slice(0, -1) + (unknownKey.endsWith('0') ? '1' : '0');
  const preflight = { Origin: elsewhere, 'Access-Control-Request-Method': 'POST' };
  const rows = [
    ['no key', withHeaders({}), 'key_missing'],
    ['an empty header', withHeaders({ 'X-API-Key': '' }), 'key_missing'],
    ['a key in the query', withHeaders({}, `?aksi=ping&key=${unknownKey}`), 'key_in_query'],
    ['a key in a cookie', withHeaders({ Cookie: `X-API-Key=${unknownKey}` }), 'key_missing'],
    ['a key without Bearer', withHeaders({ Authorization: unknownKey }), 'key_without_bearer'],
    ['a key that is too short', withHeaders({ 'X-API-Key': unknownKey.slice(0, -1) }), 'key_malformed'],
    ['a key with a wrong checksum', withHeaders({ 'X-API-Key': wrongEnd }), 'key_malformed'],
    ['an unknown key', withHeaders({ 'X-API-Key': unknownKey }), 'key_rejected'],
    ['both headers', withHeaders({ 'X-API-Key': key, Authorization: `Bearer ${key}` }), 'key_in_both_headers'],
    ['DELETE without a key', { method: 'DELETE' }, 'key_missing'],
    ['a broken body without a key', post(asJson, `{"user_id":${unknownId},`), 'key_missing'],
    ['OPTIONS without a key, as browsers ask', { method: 'OPTIONS', headers: preflight }, 'key_missing'],
  ];
  for (const [what, request, code] of rows)
    await check(`401: ${what}`, { ...request, keyed: false }, { status: 401, code });
}

const refuse = (what, request, code, field) => check(`400: ${what}`, request, { status: 400, code, field });

async function checkInput() {
  const text = JSON.stringify({ user_id: unknownId, ...plain });
  const id = `user_id=${unknownId}`;
  const invalid = encoder.encode(text.replace('Uji', '~'));
  invalid[invalid.indexOf('~'.charCodeAt(0))] = 0xff;
  const file = part('x', 'y', '; filename="x.txt"');
  const rows = [
    ['no aksi; sending by GET does not exist', { search: `?judul=a&isi=b&${id}` }, 'aksi_missing', 'aksi'],
    ['aksi in capitals', { search: '?aksi=PING' }, 'aksi_unknown', 'aksi'],
    ['aksi twice', { search: '?aksi=ping&aksi=ping' }, 'aksi_repeated', 'aksi'],
    ['no Content-Type', post(null, text), 'content_type_missing'],
    ['Content-Type text/plain', post('text/plain', text), 'content_type_unsupported'],
    ['charset iso-8859-1', post(`${asJson}; charset=iso-8859-1`, text), 'charset_unsupported'],
    ['a compressed body', post(asJson, text, { 'Content-Encoding': 'gzip' }), 'content_encoding_unsupported'],
    ['JSON that is cut off', post(asJson, text.slice(0, -1)), 'json_malformed'],
    ['an array', post(asJson, `[ ${text}]`), 'json_not_object'],
    ['JSON labelled as a form', post(asForm, text), 'json_labelled_as_form'],
    ['a form labelled as JSON', post(asJson, `${id}&judul=a&isi=b`), 'form_labelled_as_json'],
    ['a form with a bare %', post(asForm, `${id}&judul=100%&isi=b`), 'form_malformed'],
    ['a form with a field twice', post(asForm, `${id}&judul=a&judul=b&isi=c`), 'field_repeated', 'judul'],
    ['bytes that are not UTF-8', post(asJson, invalid), 'body_not_utf8'],
    ['a file in a form', multipart([part('user_id', unknownId), file]), 'file_not_accepted'],
    ['more than 64 KiB', json({ x: 'x'.repeat(65536) }), 'body_too_large'],
    ['judul missing', json({ judul: undefined }), 'field_missing', 'judul'],
    ['isi missing', json({ isi: undefined }), 'field_missing', 'isi'],
    ['judul blank', json({ judul: ' \u200b' }), 'field_blank', 'judul'],
    ['judul a number', json({ judul: 5 }), 'field_not_text', 'judul'],
    ['a NUL in isi', json({ isi: 'a\0' }), 'field_forbidden_character', 'isi'],
    ['user_id with a fraction', json({ user_id: unknownId - 0.5 }), 'user_id_not_integer', 'user_id'],
    ['user_id with a blank before it', json({ user_id: ` ${unknownId}` }), 'user_id_not_integer', 'user_id'],
    ['url to another site', json({ url: `${elsewhere}/` }), 'url_not_internal', 'url'],
    ['url with a backslash', json({ url: '/\\elsewhere.example' }), 'url_not_internal', 'url'],
    ['url empty', json({ url: '' }), 'url_not_internal', 'url'],
    ['Idempotency-Key with a blank', json({}, { 'Idempotency-Key': 'a b' }), 'idempotency_key_malformed'],
  ];
  for (const row of rows) await refuse(...row);
  for (const [name, limit] of Object.entries(await readLimits())) {
    const what = `${name} of ${limit + 1} characters`;
    if (limit) await refuse(what, json({ [name]: '\u{1F600}'.repeat(limit + 1) }), 'field_too_long', name);
    else note('not tried', `400: ${name} that is too long`, 'no /api/v1/openapi.json gives its maxLength');
  }
}

// Safe even if the server takes these for everyone: it refused their link before.
async function checkEveryone() {
  const url = '//elsewhere.example';
  const misspelt = { userId: unknownId, ...plain, url };
  const bracketed = { 'user_id[]': unknownId, ...plain, url };
  const inJson = await refuse('url that begins with //', json({ url }), 'url_not_internal', 'url');
  const inForm = await refuse('the same url in a form', form({ url }), 'url_not_internal', 'url');
  const rows = [
    ['user_id null', inJson, json({ user_id: null, url }), 'user_id_empty'],
    ['user_id an empty text', inJson, json({ user_id: '', url }), 'user_id_empty'],
    ['userId, not user_id', inJson, post(asJson, JSON.stringify(misspelt)), 'recipient_unclear'],
    ['user_id[] in a form', inForm, post(asForm, asFields(bracketed)), 'recipient_unclear'],
  ];
  for (const [name, isSafe, request, code] of rows) {
    const what = `${name}: never everyone`;
    if (isSafe) await refuse(what, request, code, 'user_id');
    else note('not tried', `400: ${what}`, 'not safe here, // was not refused');
  }
}

async function checkTargetsAndMethods() {
  const missing = { status: 404, code: 'employee_not_in_company' };
  await check(`404: user_id ${unknownId}`, json({}), missing);
  await check('404: the same as a form', form({}), missing);
  for (const method of ['PUT', 'DELETE', 'OPTIONS'])
    await check(`405: ${method}`, { method, search: '?aksi=ping' }, { status: 405, code: 'method_not_allowed' });
}

async function checkLanguages() {
  const say = async (language) => {
    const answer = await askInTime({ search: '?aksi=PING', headers: { 'Accept-Language': language } });
    return answer.json ?? {};
  };
  const [en, id] = [await say('en'), await say('id-ID,id;q=0.9,en;q=0.8')];
  const isRight = /\b(the|is|must|not)\b/i.test(en.error) && /\b(yang|harus|bukan|tidak|dan)\b/i.test(id.error);
  judge('400 in English and in Indonesian, one code', isRight && en.code === id.code, `${en.error} ${id.error}`);
}

async function checkSends(list) {
  const rows = [
    'send as JSON, with an Idempotency-Key',
    'the same again: the first answer, nothing sent',
    'the same Idempotency-Key for another text',
    'send as a form, unknown jenis',
    'send as multipart',
  ];
  const isListed = list?.json.karyawan.some(({ user_id }) => user_id === employee);
  if (employee === null || !isListed) {
    for (const what of rows) note('not tried', what, employee === null ? 'needs --employee' : 'no such employee');
    if (employee !== null) judge('--employee is in the list of employees', false, `${employee} is not`);
    return;
  }
  const one = { status: 200, body: shape({ ok: isTrue, terkirim: (count) => count === 0 || count === 1 }) };
  const headers = { 'Idempotency-Key': `contract-test-${randomUUID()}` };
  const toOne = (fields) =>
    json({ user_id: employee, jenis: 'info', url: '/portal/notifications', ...fields }, headers);
  const first = await check(rows[0], toOne(), one);
  const again = await check(rows[1], toOne(), one);
  if (first && again) {
    const replayed = [first, again].map((answer) => answer.headers.get('idempotent-replayed')).join();
    judge('Idempotent-Replayed: true on the second only', replayed === ',true' && again.text === first.text, replayed);
  }
  await check(rows[2], toOne({ judul: 'Lain' }), { status: 400, code: 'idempotency_key_reused' });
  const third = await check(rows[3], form({ user_id: employee, jenis: 'tidak-dikenal' }), one);
  const parts = Object.entries({ user_id: employee, ...plain }).map(([name, value]) => part(name, value));
  const fourth = await check(rows[4], multipart(parts), one);
  for (const answer of [first, third, fourth]) sent += answer?.json.terkirim ?? 0;
}

async function checkLimit() {
  const minutes = Math.ceil((Date.now() - startedAt) / 60_000);
  judge('every request with the key spends one', turns <= minutes, `${turns} times not, in ${minutes} minutes`);
  const what = `429: more than ${requestsPerMinute} in a minute`;
  if (!with429) return note('not tried', what, 'needs --with-429');
  for (let request = 0; request <= 2 * requestsPerMinute; request++) {
    const before = remaining;
    const answer = await ask({ search: '?aksi=ping' });
    if (answer.status === 200) continue;
    const wrong = [...findCommonProblems(answer), ...findFailureProblems(answer.json ?? {}, { code: 'rate_limited' })];
    if (answer.status !== 429) wrong.unshift('the status is not 429');
    if (before !== 0) wrong.push('it came before Remaining was 0');
    judge(what, wrong.length === 0, [answer.status, ...wrong].join('; '));
    const { status } = await ask({ method: 'DELETE' });
    judge('429 comes before 405', status === 429, status);
    const unknown = await ask({ search: '?aksi=ping', keyed: false, headers: { 'X-API-Key': unknownKey } });
    return judge('401 comes before 429', unknown.status === 401, unknown.status);
  }
  judge(what, false, `never, in ${2 * requestsPerMinute} requests`);
}

async function run() {
  const list = await checkReadings();
  await checkKeys();
  if (!acceptsKey) return note('not tried', 'everything that needs a key', 'the key was not accepted');
  await checkInput();
  await checkEveryone();
  await checkTargetsAndMethods();
  await checkLanguages();
  await checkSends(list);
  await checkLimit();
}

try {
  await run();
} catch (error) {
  judge('the test itself runs to its end', false, error.cause?.code ?? error.message);
}
const marks = Object.entries(counts).map(([mark, count]) => `${count} ${mark.toLowerCase()}`);
console.log(`\n${marks.join(', ')}; ${spent} requests with the key, ${sent} sends to employee ${employee ?? '-'}`);
process.exitCode = counts.WRONG > 0 ? 1 : 0;
