import { words } from '#e2e/support/data/random.ts';
import { type Case, each, makeTable } from '#e2e/support/http/input-table.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { askRaw } from '#e2e/support/http/raw.ts';
import { get, good, json, KEY, OTHER, part, path, ping, post, request, withKey } from '#e2e/support/http/requests.ts';

// What only a socket can send, or Next could read. All else: server/api/{input,calls}.test.ts.

const { row } = await makeTable((text) => askRaw(baseUrl, Buffer.from(text, 'latin1')));
const bearer = `Authorization: Bearer ${KEY}`;
const sent = (body: string, headers: string[]) => request(`POST ${path}`, [withKey, json, ...headers]) + body;
const chunked = (body: string) => sent(body, ['Transfer-Encoding: chunked']);
const inChunks = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`;

row('B10', 'a body of more than 64 KiB is 400, with and without an announced length', [
  ...each('body_too_large', (length) => sent('{"judul":', [`Content-Length: ${length}`]), [
    ...['1000000000', String(Number.MAX_SAFE_INTEGER)],
  ]),
  ...each('body_too_large', chunked, { 'in chunks': inChunks('x'.repeat(70_000)) }),
  ...each('body_too_large', post, { whole: `{"judul":"a","isi":"b","x":"${'x'.repeat(65_537 - 30)}"}` }),
]);
row('B12', 'a chunked body is read, with extensions and trailers', [
  ...each(200, chunked, {
    chunks: inChunks(good),
    'one byte each': `${[...good].map((letter) => `1\r\n${letter}\r\n`).join('')}0\r\n\r\n`,
    extensions: `${good.length.toString(16)};a=b;c="d"\r\n${good}\r\n0;x\r\n\r\n`,
    trailers: `${good.length.toString(16)}\r\n${good}\r\n0\r\nX-API-Key: jss_x\r\nX: y\r\n\r\n`,
  }),
  ...each('body_empty', chunked, { nothing: '0\r\n\r\n' }),
  ...each(200, (name) => sent(inChunks(good), [`Transfer-Encoding: ${name}`]), ['CHUNKED']),
]);
const framed = (headers: string, body = good) => sent(body, headers.split('|'));
row('B13', 'a body with an ambiguous length is 400, and the connection closes', [
  ...each('request_malformed', framed, [
    ...['Content-Length: -1', 'Content-Length: x', 'Content-Length: 0x10', 'Transfer-Encoding: gzip'],
    ...[`Content-Length: ${good.length}|Content-Length: 1`, `Content-Length: ${good.length}, ${good.length}`],
  ]),
  ...each('request_malformed', (headers) => framed(headers, inChunks(good)), [
    ...['Content-Length: 3|Transfer-Encoding: chunked', 'Transfer-Encoding: chunked, chunked'],
    'Transfer-Encoding: xchunked',
  ]),
  ...each('body_incomplete', chunked, ['xyz\r\n', `3\r\n${good}\r\n0\r\n\r\n`]),
]);
const calling = 'Next-Action: 0123456789abcdef';
const action = (value: string) => part('$ACTION_1:0', value) + part('1', '"$@0"');
row('B23', 'a call of a server action is an ordinary POST', [
  ['JSON', post(good, [json, calling]), 200],
  ['text', post('["$F1"]', ['Content-Type: text/plain', calling]), 400, 'content_type_unsupported'],
  ...each(
    'field_missing',
    (value) => post(`${action(value)}--b--\r\n`, ['Content-Type: multipart/form-data; boundary=b', calling]),
    ['{"id":"x","bound":"$@1"}', '{"then":"$1:__proto__:then","status":"resolved_model"}'],
  ),
]);

row('H3', 'blanks around the value of a header are skipped', [
  ...each(200, (header) => get([header]), [
    ...[`${bearer}  \t `, `Authorization:  \t Bearer ${KEY}`, `Authorization:Bearer ${KEY}`],
    `X-API-Key: \t ${KEY} \t`,
  ]),
]);
const repeated = (what: string, headers: string[], status: number, code?: string): Case[] => [
  [`GET, ${what}`, get(headers), status, code],
  [`POST, ${what}`, post(good, [json, ...headers], ''), status, code],
];
row('H8', 'a repeated Authorization is 401 unless both are equal', [
  ...repeated('the same', [bearer, bearer], 200),
  ...repeated('three times the same', [bearer, bearer, bearer], 200),
  ...repeated('two keys', [bearer, `Authorization: Bearer ${OTHER}`], 401, 'key_malformed'),
  ...repeated('the scheme in another case', [bearer, `authorization: bearer ${KEY}`], 401, 'key_malformed'),
  ...repeated('a gate before it', ['Authorization: Basic dXNlcjpwYXNz', bearer], 401, 'key_wrapped'),
  ...repeated('a gate behind it', [bearer, 'Authorization: Basic dXNlcjpwYXNz'], 401, 'key_malformed'),
]);
row('H9', 'a repeated X-API-Key is 401', [
  ...repeated('the same', [withKey, withKey], 401, 'key_malformed'),
  ...repeated('two keys', [withKey, `x-api-key: ${OTHER}`], 401, 'key_malformed'),
  ...repeated('rubbish before it', ['X-API-Key: x', withKey], 401, 'key_wrapped'),
  ...repeated('empty before it', ['X-API-Key:', withKey], 401, 'key_wrapped'),
]);
const many = (header: string, times: number) => Array.from({ length: times }, () => header);
row('H11', 'a key of 15 KiB is 401; more than 16 KiB or 1,000 headers are 400', [
  ['a key of 15 KiB', get([`X-API-Key: jss_${'a'.repeat(15_000)}`]), 401, 'key_malformed'],
  ['headers of 17 KiB', get([withKey, `X-Big: ${'a'.repeat(17_000)}`]), 400, 'request_malformed'],
  ['a cookie of 17 KiB', get([withKey, `Cookie: ${'a'.repeat(17_000)}`]), 400, 'request_malformed'],
  ['500 headers', get([withKey, ...many('x: y', 500)]), 200],
  ['1,500 headers', get([withKey, ...many('x: y', 1500)]), 400, 'request_malformed'],
  ['2,500 headers, the key behind them', get([...many('x:y', 2500), withKey]), 400, 'request_malformed'],
]);
const raw = (lines: string) => `GET ${ping} HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n`;
row('H12', 'a malformed header is 400', [
  ...each('request_malformed', raw, [
    ...[`${withKey}\r\nX: a\0b`, 'X-API-Key: jss_\0', `${withKey}\r\nX: a\rb: c`, `${withKey}\r\nX: a\r\n b`],
    ...[`X-API-Key : ${KEY}`, `${withKey}\r\nnonsense`, `${withKey}\r\nX Y: x`],
  ]),
  ['lines ended by LF', `GET ${ping} HTTP/1.1\nHost: x\n${withKey}\n\n`, 400, 'request_malformed'],
  ['HTTP/9.9', `GET ${ping} HTTP/9.9\r\nHost: x\r\n${withKey}\r\n\r\n`, 400, 'request_malformed'],
]);

const ignoredRow = (id: string, promise: string, headers: string[]) =>
  row(
    id,
    promise,
    headers.flatMap((header): Case[] => [
      [`GET, ${header}`, get([withKey, header]), 200],
      [`POST, ${header}`, post(good, [json, header]), 200],
      [`without a key, ${header}`, get([header]), 401],
    ]),
  );
ignoredRow('H14', 'headers with names of Object.prototype are ignored', [
  ...['__proto__: a', '__proto__: a\r\n__proto__: b', 'constructor: a', 'prototype: {}'],
  'toString: a\r\nhasOwnProperty: b',
]);
ignoredRow('H15', 'headers that claim another client, host or method are ignored', [
  ..."X-Forwarded-For: 1.2.3.4, 5.6.7.8|X-Forwarded-For: ' or 1=1 --|X-Forwarded-Host: evil.test".split('|'),
  ...'X-Forwarded-Proto: https|X-Real-IP: 1.2.3.4|Forwarded: for=1.2.3.4;host=evil.test'.split('|'),
  ...'X-HTTP-Method-Override: DELETE|X-Method-Override: PUT|X-Company-Id: 1|X-Original-URL: /owner'.split('|'),
  ...'X-Rewrite-URL: /owner'.split('|'),
]);
ignoredRow('H16', 'headers that control Next are ignored', [
  `x-middleware-subrequest: ${Array(5).fill('src/middleware').join(':')}`,
  ...'x-middleware-subrequest: middleware|x-middleware-rewrite: /owner|x-middleware-next: 1|RSC: 1'.split('|'),
  ...'RSC: 1\r\nNext-Router-Prefetch: 1|Next-Router-Segment-Prefetch: /_tree|x-nextjs-data: 1'.split('|'),
  ...`Next-Router-State-Tree: %5B%22%22%5D|${calling}|x-invoke-path: /owner|x-invoke-status: 200`.split('|'),
  ...'x-matched-path: /owner|x-now-route-matches: 1=owner'.split('|'),
]);
row('H17', 'every Expect is answered like no Expect', [
  ...each(200, (expect) => post(good, [json, `Expect: ${expect}`]), ['100-continue', '100-Continue', 'nonsense']),
  ['another', get([withKey, 'Expect: 200-maybe']), 200],
  ['without a key', get(['Expect: 200-maybe']), 401],
]);
ignoredRow('H18', 'an Upgrade is ignored', [
  ...['h2c', 'websocket', 'TLS/1.3', 'foo, h2c'].map((protocol) => `Upgrade: ${protocol}\r\nConnection: Upgrade`),
  'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk',
]);
const toHost = (host: string) => `GET ${ping} HTTP/1.1\r\n${host}Connection: close\r\n${withKey}\r\n\r\n`;
row('H19', 'HTTP/1.1 has exactly one Host; HTTP/1.0 needs none; TLS on the clear port is 400', [
  ...each('request_malformed', (bytes) => bytes, {
    'no Host': `GET ${ping} HTTP/1.1\r\n${withKey}\r\n\r\n`,
    'two Hosts': raw(`Host: y\r\n${withKey}`),
    'the same Host twice': raw(`host: x\r\n${withKey}`),
    'a TLS hello': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    'an HTTP/2 preface': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  }),
  ['HTTP/1.0', `GET ${ping} HTTP/1.0\r\n${withKey}\r\n\r\n`, 200],
  ['HTTP/1.0 with a Host', `GET ${ping} HTTP/1.0\r\nHost: x\r\n${withKey}\r\n\r\n`, 200],
  ...each(200, toHost, ['Host: evil.test:99999\r\n', 'Host:\r\n']),
]);
ignoredRow('H20', 'the response is JSON for every Accept', [
  ...'Accept: text/html|Accept: image/*;q=0|Accept: application/json;q=0|Accept: ;;;|TE: trailers'.split('|'),
  ...'Accept-Encoding: nonsense|Accept-Encoding: identity;q=0, *;q=0|Accept-Charset: utf-16'.split('|'),
  ...['Accept-Language: ;q=,,*', `Accept-Language: ${'id,'.repeat(1000)}`, 'Prefer: return=minimal'],
]);
ignoredRow('H21', 'conditional requests and ranges are ignored', [
  ...'If-None-Match: *|If-Match: "x"|Range: bytes=0-1|If-Range: "x"\r\nRange: bytes=5-'.split('|'),
  'If-Modified-Since: Sat, 01 Jan 2028 00:00:00 GMT',
  'If-Unmodified-Since: Sat, 01 Jan 2000 00:00:00 GMT',
]);
const preflight = ['Origin: https://evil.test', 'Access-Control-Request-Method: POST'];
row('H22', 'no CORS header is sent; a preflight is 401, and with a key 405', [
  ...each(200, (origin) => get([withKey, `Origin: ${origin}`]), ['https://evil.test', 'null']),
  ['a send', post(good, [json, 'Origin: https://evil.test', 'Sec-Fetch-Site: cross-site']), 200],
  ['a preflight', request(`OPTIONS ${ping}`, preflight), 401, 'key_missing'],
  ['a preflight with a key', request(`OPTIONS ${ping}`, [withKey, ...preflight]), 405, 'method_not_allowed'],
]);

row('M2', 'TRACE, OPTIONS and the methods of WebDAV and others with a key are 405', [
  ...words('TRACE OPTIONS PUT PROPFIND QUERY M-SEARCH').flatMap((method): Case[] => [
    [method, request(`${method} ${ping}`, [withKey]), 405, 'method_not_allowed'],
    [`${method} with a body`, post(good).replace('POST', method), 405, 'method_not_allowed'],
    [`${method} without a key`, request(`${method} ${ping}`), 401, 'key_missing'],
  ]),
]);
row('M4', 'an unknown method is 400; CONNECT closes the connection', [
  ...each('request_malformed', (method) => request(`${method} ${ping}`, [withKey]), ['FOO', 'get', 'A'.repeat(20_000)]),
  ['CONNECT', `CONNECT x:443 HTTP/1.1\r\nHost: x:443\r\n${withKey}\r\n\r\n`, 0],
]);
const stray = [
  ...[`${path}/`, `${path}//`, `/${path}`, '//api//v1//notif.php', '/API/v1/notif.php', '/api/V1/notif.php'],
  ...words('/api/v1/NOTIF.php /api/v1/notif%2ephp /api/v1/notif.php%00 /api/v1/notif.php%20 /api/v1/notif.php;x=1'),
  ...words('/api/v1/notif /api/v1/notif.php.bak /api/v1/notif.php~ /api/v1/ /api/v1 /api/ /api /API /api/v2/notif.php'),
  ...words('/api//v1/notif.php /api/v1//notif.php /api\\v1\\notif.php /./api/v1/notif.php /api/./v1/notif.php'),
  ...words('/api/v1/../v1/notif.php /x/../api/v1/notif.php /%61pi/v1/notif.php /api%2fv1%2fnotif.php /api/v1/other'),
  ...words('/api/v1/%6eotif.php /api/%2e%2e/api/v1/notif.php /api/trpc/send /api/v1/notif.php/x /api/v1/notif.php/..'),
  ...words('/api/v1/notif.php/../../v1/notif.php * // //evil.test/api /api/v1/openapi.json/ /api/%61uth/session'),
  '/api//auth/session',
];
// A program that sends a key is answered in JSON outside of /api/ too.
const guesses = words('/notif.php /v1/notif.php /V1/notif /notif /notif/ /api/notif /api.php /x/notif.php');
row('P1', 'another spelling or a guess of the address is 404 in JSON; the absolute form is accepted', [
  ...guesses.flatMap((address): Case[] => [
    ...words('GET PUT OPTIONS').map(
      (method): Case => [`${method} ${address}`, request(`${method} ${address}`, [withKey]), 404, 'address_unknown'],
    ),
    [`POST ${address}`, post(good).replace(`POST ${path} `, `POST ${address} `), 404, 'address_unknown'],
  ]),
  ...stray.flatMap((address): Case[] => [
    [address, get([withKey], address), 404, 'address_unknown'],
    [`POST ${address}`, post(good).replace(`POST ${path} `, `POST ${address} `), 404, 'address_unknown'],
    [`without a key ${address}`, get([], address), 404, 'address_unknown'],
  ]),
  ['the absolute form', get([withKey], `http://x${ping}`), 200],
  ['the absolute form of elsewhere', get([withKey], `https://evil.test:1${ping}`), 200],
]);
row('P2', 'a query of 20 KiB is 400; escapes are decoded; a fragment is ignored', [
  ['20 KiB', get([withKey], `${ping}&x=${'a'.repeat(20_000)}`), 400, 'request_malformed'],
  ['10 KiB', get([withKey], `${ping}&x=${'a'.repeat(10_000)}`), 200],
  ...each(200, (search) => get([withKey], path + search), words('?%zz=%zz&aksi=ping ?aksi=%70ing ?aksi=ping#x')),
  ...each('aksi_unknown', (search) => get([withKey], path + search), ['?aksi=%zz', '?aksi=ping?']),
]);
row('A6', 'GET ignores a body', [
  ['JSON', request(`GET ${ping}`, [withKey, json, `Content-Length: ${good.length}`]) + good, 200],
  ['no JSON', `${request(`GET ${ping}`, [withKey, json, 'Content-Length: 1'])}{`, 200],
  ['in chunks', `${request(`GET ${ping}`, [withKey, 'Transfer-Encoding: chunked'])}1\r\nx\r\n0\r\n\r\n`, 200],
]);
