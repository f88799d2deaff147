import { type Case, get, KEY, makeMatrix, OTHER, ping, post, request, utf8 } from '#e2e/transport/input/matrix.ts';
import { generateKey } from '#server/keys/keys.ts';

const { row } = await makeMatrix();
const good = '{"judul":"Judul","isi":"Isi"}';
const bearer = `Authorization: Bearer ${KEY}`;
const inHeader = `X-API-Key: ${KEY}`;

/** Three cases: these headers on a GET, a POST and a method that is not allowed. */
const onEach = (what: string, headers: string[], status: number, code?: string): Case[] => [
  [`GET, ${what}`, get(headers), status, code],
  [`POST, ${what}`, post(good, ['Content-Type: application/json', ...headers], ''), status, code],
  [`PUT, ${what}`, request(`PUT ${ping}`, headers), status === 200 ? 405 : status, status === 200 ? undefined : code],
];

row('H1', 'no key, an empty header, or Bearer alone is 401', [
  ...onEach('no header', [], 401, 'key_missing'),
  ...onEach('an empty Authorization', ['Authorization:'], 401, 'key_missing'),
  ...onEach('an empty X-API-Key', ['X-API-Key:'], 401, 'key_missing'),
  ...onEach('both empty', ['X-API-Key: ', 'Authorization: '], 401, 'key_missing'),
  ...onEach('a blank X-API-Key', ['X-API-Key: \t  '], 401, 'key_missing'),
  ...onEach('Bearer alone', ['Authorization: Bearer'], 401, 'key_missing'),
  ...onEach('Bearer and blanks', ['Authorization: Bearer    '], 401, 'key_missing'),
]);

row(
  'H2',
  'the scheme is read in any case',
  ['bearer', 'BEARER', 'bEaReR', 'Bearer'].flatMap((scheme) =>
    onEach(scheme, [`Authorization: ${scheme} ${KEY}`], 200),
  ),
);

row('H3', 'spaces behind the scheme and blanks around the value are skipped; a tab is 401', [
  ...onEach('two spaces', [`Authorization: Bearer  ${KEY}`], 200),
  ...onEach('twenty spaces', [`Authorization: Bearer${' '.repeat(20)}${KEY}`], 200),
  ...onEach('blanks behind', [`Authorization: Bearer ${KEY}  \t `], 200),
  ...onEach('blanks before', [`Authorization:  \t Bearer ${KEY}`], 200),
  ...onEach('no blank behind the colon', [`Authorization:Bearer ${KEY}`], 200),
  ...onEach('blanks around X-API-Key', [`X-API-Key: \t ${KEY} \t`], 200),
  ...onEach('a tab', [`Authorization: Bearer\t${KEY}`], 401, 'key_wrapped'),
  ...onEach('a space and a tab', [`Authorization: Bearer \t${KEY}`], 401, 'key_wrapped'),
  ...onEach('more behind the key', [`Authorization: Bearer ${KEY} x`], 401, 'key_malformed'),
]);

const ofGateways = [
  ...'Basic dXNlcjpwYXNz|Bearer eyJhbGciOiJub25lIn0.e30.|Bearer %E0%A4%A|Bearer %'.split('|'),
  ...'Digest username="x"|Negotiate YII=|AWS4-HMAC-SHA256 Credential=x/y|Bearer|jss'.split('|'),
];
row('H4', 'a value in the other header that is not a key is ignored', [
  ...ofGateways.map((value): Case => [`Authorization: ${value}`, get([`Authorization: ${value}`, inHeader]), 200]),
  ...['gw-1', '%E0%A4%A', '', 'undefined', '{{key}}', '"'].map(
    (value): Case => [`X-API-Key: ${value}`, get([bearer, `X-API-Key: ${value}`]), 200],
  ),
]);

row('H5', 'a key in another form of the two headers is 401', [
  ['Basic, key as user', (key) => get([`Authorization: Basic ${btoa(`${key}:`)}`]), 401, 'key_wrapped'],
  ['Basic, key as password', (key) => get([`Authorization: Basic ${btoa(`api:${key}`)}`]), 401, 'key_wrapped'],
  ...'Token K|ApiKey K|Bearer: K|Bearer=K|Bearer,K|Bearer "K"|Bearer <K>|Bearer Bearer K|key=K'
    .split('|')
    .map((form): Case => [form, get([`Authorization: ${form.replace(/K$|K(?=[">])/, KEY)}`]), 401, 'key_wrapped']),
  ['the key alone', get([`Authorization: ${KEY}`]), 401, 'key_without_bearer'],
  ['Bearer in X-API-Key', get([`X-API-Key: Bearer ${KEY}`]), 401, 'key_wrapped'],
  ['a list in X-API-Key', get([`X-API-Key: x, ${KEY}`]), 401, 'key_wrapped'],
]);

row('H6', 'both headers, one of them with a wrong key, are 401', [
  ...['jss_', 'jss_short', `jss_${'0'.repeat(64)}`, generateKey()].flatMap((wrong): Case[] => [
    [`X-API-Key wrong, ${wrong.length}`, get([bearer, `X-API-Key: ${wrong}`]), 401, 'key_in_both_headers'],
    [
      `Authorization wrong, ${wrong.length}`,
      get([`Authorization: Bearer ${wrong}`, inHeader]),
      401,
      'key_in_both_headers',
    ],
  ]),
]);

row('H7', 'both headers with valid keys are 401', [
  ...onEach('the same key', [bearer, inHeader], 401, 'key_in_both_headers'),
  ...onEach('two keys', [bearer, `X-API-Key: ${OTHER}`], 401, 'key_in_both_headers'),
  ...onEach('one without Bearer', [`Authorization: ${KEY}`, inHeader], 401, 'key_in_both_headers'),
]);

row('H8', 'a repeated Authorization is 401 unless both are equal', [
  ...onEach('the same', [bearer, bearer], 200),
  ...onEach('three times the same', [bearer, bearer, bearer], 200),
  ...onEach('two keys', [bearer, `Authorization: Bearer ${OTHER}`], 401, 'key_malformed'),
  ...onEach('the scheme in another case', [bearer, `authorization: bearer ${KEY}`], 401, 'key_malformed'),
  ...onEach('a gate before it', ['Authorization: Basic dXNlcjpwYXNz', bearer], 401, 'key_wrapped'),
  ...onEach('a gate behind it', [bearer, 'Authorization: Basic dXNlcjpwYXNz'], 401, 'key_malformed'),
]);

row('H9', 'a repeated X-API-Key is 401', [
  ...onEach('the same', [inHeader, inHeader], 401, 'key_malformed'),
  ...onEach('two keys', [inHeader, `x-api-key: ${OTHER}`], 401, 'key_malformed'),
  ...onEach('rubbish before it', ['X-API-Key: x', inHeader], 401, 'key_wrapped'),
  ...onEach('empty before it', ['X-API-Key:', inHeader], 401, 'key_wrapped'),
]);

const disguise = (what: string, change: (key: string) => string, code: string): Case[] => [
  [what, (key) => get([`X-API-Key: ${change(key)}`]), 401, code],
  [`Bearer, ${what}`, (key) => get([`Authorization: Bearer ${change(key)}`]), 401, code],
];
const swap = (key: string, letter: string) => key.slice(0, 30) + letter + key.slice(31);
row('H10', 'a key with a wrong length, prefix, letter or checksum is 401', [
  ...disguise('63 characters', (key) => key.slice(0, -1), 'key_malformed'),
  ...disguise('65 characters', (key) => `${key}0`, 'key_malformed'),
  ...disguise('the prefix alone', () => 'jss_', 'key_malformed'),
  ...disguise('another prefix', (key) => key.replace('jss_', 'sk_'), 'key_missing'),
  ...disguise('JSS_', (key) => key.replace('jss_', 'JSS_'), 'key_missing'),
  ...disguise('jss-', (key) => key.replace('jss_', 'jss-'), 'key_missing'),
  ...disguise('a wrong checksum', (key) => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a'), 'key_malformed'),
  ...disguise('in capitals', (key) => `jss_${key.slice(4).toUpperCase()}`, 'key_malformed'),
  ...disguise('a blank inside', (key) => swap(key, ' '), 'key_malformed'),
  ...disguise('in quotes', (key) => `"${key}"`, 'key_wrapped'),
  ...disguise('in single quotes', (key) => `'${key}'`, 'key_wrapped'),
  ...disguise('%00 behind it', (key) => `${key}%00`, 'key_malformed'),
  ...disguise('a backslash and 0 behind it', (key) => `${key}\\0`, 'key_malformed'),
  ...disguise('URL-encoded', (key) => key.replace('_', '%5F'), 'key_missing'),
  ...disguise('a Cyrillic letter', (key) => utf8(swap(key, 'а')), 'key_malformed'),
  ...disguise('a full-width letter', (key) => utf8(swap(key, 'Ａ')), 'key_malformed'),
  ...disguise('an emoji', (key) => utf8(swap(key, '🔑')), 'key_malformed'),
  ...disguise('latin-1 bytes', (key) => swap(key, '\xe9'), 'key_malformed'),
  ...disguise('a no-break space behind it', (key) => `${key}\xa0`, 'key_malformed'),
  ...disguise('a zero-width space before it', (key) => utf8(`\u200b${key}`), 'key_wrapped'),
  ...disguise('an unknown key', () => generateKey(), 'key_rejected'),
  ...disguise("' or 1=1 --", () => "jss_' or 1=1 --", 'key_malformed'),
]);

row('H11', 'a key of 15 KiB is 401; more than 16 KiB or 1,000 headers are 400', [
  ['a key of 15 KiB', get([`X-API-Key: jss_${'a'.repeat(15_000)}`]), 401, 'key_malformed'],
  ['headers of 17 KiB', get([inHeader, `X-Big: ${'a'.repeat(17_000)}`]), 400, 'request_malformed'],
  ['a cookie of 17 KiB', get([inHeader, `Cookie: ${'a'.repeat(17_000)}`]), 400, 'request_malformed'],
  ['500 headers', get([inHeader, ...Array.from({ length: 500 }, () => 'x: y')]), 200],
  ['1,500 headers', get([inHeader, ...Array.from({ length: 1500 }, () => 'x: y')]), 400, 'request_malformed'],
  [
    '2,500 headers, the key behind them',
    get([...Array.from({ length: 2500 }, () => 'x:y'), inHeader]),
    400,
    'request_malformed',
  ],
]);

const raw = (lines: string) => `GET ${ping} HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n`;
row('H12', 'a malformed header is 400', [
  ['a NUL', raw(`${inHeader}\r\nX: a\0b`), 400, 'request_malformed'],
  ['a NUL in the key', raw(`X-API-Key: jss_\0`), 400, 'request_malformed'],
  ['a bare CR', raw(`${inHeader}\r\nX: a\rb: c`), 400, 'request_malformed'],
  ['lines ended by LF', `GET ${ping} HTTP/1.1\nHost: x\n${inHeader}\n\n`, 400, 'request_malformed'],
  ['a folded line', raw(`${inHeader}\r\nX: a\r\n b`), 400, 'request_malformed'],
  ['a blank before the colon', raw(`X-API-Key : ${KEY}`), 400, 'request_malformed'],
  ['no colon', raw(`${inHeader}\r\nnonsense`), 400, 'request_malformed'],
  ['a blank in a name', raw(`${inHeader}\r\nX Y: x`), 400, 'request_malformed'],
  ['HTTP/9.9', `GET ${ping} HTTP/9.9\r\nHost: x\r\n${inHeader}\r\n\r\n`, 400, 'request_malformed'],
]);

row('H13', 'a key in another header, a cookie, the query or the body is 401', [
  ...['X_API_Key', 'API-Key', 'X-API-Key-2', 'Proxy-Authorization', 'X-Auth-Token', 'Authentication'].map(
    (name): Case => [name, get([`${name}: ${KEY}`]), 401, 'key_missing'],
  ),
  ['a cookie', get([`Cookie: X-API-Key=${KEY}; Authorization=Bearer ${KEY}`]), 401, 'key_missing'],
  ...['key', 'api_key', 'X-API-Key', 'access_token', 'token'].map(
    (name): Case => [`?${name}=`, get([], `${ping}&${name}=${KEY}`), 401, 'key_in_query'],
  ),
  ['JSON', post(`{"judul":"a","isi":"b","key":"${KEY}"}`, ['Content-Type: application/json'], ''), 401, 'key_missing'],
  [
    'a form',
    post(`key=${KEY}&judul=a&isi=b`, ['Content-Type: application/x-www-form-urlencoded'], ''),
    401,
    'key_missing',
  ],
]);

const ignoredRow = (id: string, promise: string, headers: string[]) =>
  row(
    id,
    promise,
    headers.flatMap((header): Case[] => [
      [`GET, ${header}`, get([inHeader, header]), 200],
      [`POST, ${header}`, post(good, ['Content-Type: application/json', header]), 200],
      [`without a key, ${header}`, get([header]), 401],
    ]),
  );

ignoredRow('H14', 'headers with names of Object.prototype are ignored', [
  '__proto__: a',
  '__proto__: a\r\n__proto__: b',
  'constructor: a',
  'toString: a\r\nhasOwnProperty: b',
  'prototype: {}',
]);

ignoredRow('H15', 'headers that claim another client, host or method are ignored', [
  ..."X-Forwarded-For: 1.2.3.4, 5.6.7.8|X-Forwarded-For: ' or 1=1 --|X-Forwarded-Host: evil.test".split('|'),
  ...'X-Forwarded-Proto: https|X-Real-IP: 1.2.3.4|Forwarded: for=1.2.3.4;host=evil.test'.split('|'),
  ...'X-HTTP-Method-Override: DELETE|X-Method-Override: PUT|X-Company-Id: 1|X-Original-URL: /owner'.split('|'),
  ...'X-Rewrite-URL: /owner'.split('|'),
]);

ignoredRow('H16', 'headers that control Next are ignored', [
  'x-middleware-subrequest: middleware',
  'x-middleware-subrequest: src/middleware:src/middleware:src/middleware:src/middleware:src/middleware',
  'x-middleware-rewrite: /owner',
  'x-middleware-next: 1',
  'RSC: 1',
  'RSC: 1\r\nNext-Router-Prefetch: 1',
  'Next-Router-Segment-Prefetch: /_tree',
  'Next-Router-State-Tree: %5B%22%22%5D',
  'Next-Action: 0123456789abcdef',
  'x-nextjs-data: 1',
  'x-invoke-path: /owner',
  'x-invoke-status: 200',
  'x-matched-path: /owner',
  'x-now-route-matches: 1=owner',
]);

row('H17', 'every Expect is answered like no Expect', [
  ['100-continue', post(good, ['Content-Type: application/json', 'Expect: 100-continue']), 200],
  ['100-Continue', post(good, ['Content-Type: application/json', 'Expect: 100-Continue']), 200],
  ['another', get([inHeader, 'Expect: 200-maybe']), 200],
  ['another on a POST', post(good, ['Content-Type: application/json', 'Expect: nonsense']), 200],
  ['without a key', get(['Expect: 200-maybe']), 401],
]);

const upgrades = ['h2c', 'websocket', 'TLS/1.3', 'foo, h2c'];
row('H18', 'an Upgrade is ignored', [
  ...upgrades.flatMap((protocol): Case[] => [
    [`GET, ${protocol}`, get([inHeader, `Upgrade: ${protocol}`, 'Connection: Upgrade']), 200],
    [
      `POST, ${protocol}`,
      post(good, ['Content-Type: application/json', `Upgrade: ${protocol}`, 'Connection: Upgrade']),
      200,
    ],
    [`without a key, ${protocol}`, get([`Upgrade: ${protocol}`, 'Connection: Upgrade']), 401],
  ]),
  [
    'HTTP2-Settings',
    get([inHeader, 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk']),
    200,
  ],
]);

row('H19', 'HTTP/1.1 has exactly one Host; HTTP/1.0 needs none; TLS on the clear port is 400', [
  ['no Host', `GET ${ping} HTTP/1.1\r\n${inHeader}\r\n\r\n`, 400, 'request_malformed'],
  ['two Hosts', raw(`Host: y\r\n${inHeader}`), 400, 'request_malformed'],
  ['the same Host twice', raw(`host: x\r\n${inHeader}`), 400, 'request_malformed'],
  ['HTTP/1.0', `GET ${ping} HTTP/1.0\r\n${inHeader}\r\n\r\n`, 200],
  ['HTTP/1.0 with a Host', `GET ${ping} HTTP/1.0\r\nHost: x\r\n${inHeader}\r\n\r\n`, 200],
  ['a strange Host', `GET ${ping} HTTP/1.1\r\nHost: evil.test:99999\r\nConnection: close\r\n${inHeader}\r\n\r\n`, 200],
  ['an empty Host', `GET ${ping} HTTP/1.1\r\nHost:\r\nConnection: close\r\n${inHeader}\r\n\r\n`, 200],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'request_malformed'],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'request_malformed'],
]);

const preferences = [
  'Accept: text/html',
  'Accept: image/*;q=0',
  'Accept: application/json;q=0',
  'Accept: ;;;',
  'Accept-Encoding: nonsense',
  'Accept-Encoding: identity;q=0, *;q=0',
  'Accept-Charset: utf-16',
  'Accept-Language: ;q=,,*',
  `Accept-Language: ${'id,'.repeat(1000)}`,
  'TE: trailers',
  'Prefer: return=minimal',
];
ignoredRow('H20', 'the response is JSON for every Accept', preferences);

ignoredRow('H21', 'conditional requests and ranges are ignored', [
  'If-None-Match: *',
  'If-Match: "x"',
  'If-Modified-Since: Sat, 01 Jan 2028 00:00:00 GMT',
  'If-Unmodified-Since: Sat, 01 Jan 2000 00:00:00 GMT',
  'Range: bytes=0-1',
  'If-Range: "x"\r\nRange: bytes=5-',
]);

row('H22', 'no CORS header is sent; a preflight is 401, and with a key 405', [
  ['a foreign Origin', get([inHeader, 'Origin: https://evil.test']), 200],
  ['a null Origin', get([inHeader, 'Origin: null']), 200],
  [
    'a send of a foreign Origin',
    post(good, ['Content-Type: application/json', 'Origin: https://evil.test', 'Sec-Fetch-Site: cross-site']),
    200,
  ],
  [
    'a preflight',
    request(`OPTIONS ${ping}`, ['Origin: https://evil.test', 'Access-Control-Request-Method: POST']),
    401,
    'key_missing',
  ],
  [
    'a preflight with a key',
    request(`OPTIONS ${ping}`, [inHeader, 'Origin: https://evil.test', 'Access-Control-Request-Method: POST']),
    405,
    'method_not_allowed',
  ],
]);
