import { type Body, makeBody } from '#e2e/fuzz/bodies.ts';
import type { Random } from '#e2e/support/data/random.ts';
import { words } from '#e2e/support/data/words.ts';
import { preferredLanguage } from '#server/api/language.ts';
import { generateKey } from '#server/keys/keys.ts';

/**
 * A request as bytes. `ends`: the service may close the connection after its response. `isSend`: a
 * 200 is a send. `language`: the language of a failure, null where it is not determined. `misspelt`:
 * its body has a field `userId` or `USER-ID`, and none whose name is `user_id`.
 */
export type Made = {
  bytes: Buffer;
  method: string;
  ends: boolean;
  isSend: boolean;
  language: 'en' | 'id' | null;
  misspelt?: boolean;
};

const path = '/api/v1/notif.php';
const methods = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'REPORT', 'MKCOL', 'PURGE'];
const queries = [
  ...'?aksi=ping|?aksi=ping|?aksi=karyawan||?|?aksi|?aksi=|?Aksi=ping|?aksi[]=ping|?aksi=PING|?action=ping'.split('|'),
  ...words('?aksi=ping&aksi=ping ?aksi=kirim&judul=a ?aksi=%zz ?aksi=ping%00 ?aksi=toString ?x=1&aksi=ping'),
  ...words('?%ff=%ff ?nxtPaksi=ping ?__proto__=ping ?aksi=ping;x'),
  `?aksi=ping&x=${'y'.repeat(3000)}`,
];
const oddHeaders = [
  ...'Accept: text/html|Accept-Language: id|Accept-Language: id;q=0,en|Accept-Language: ;;;'.split('|'),
  ...'If-None-Match: *|Range: bytes=0-3|X-HTTP-Method-Override: DELETE|X-Forwarded-For: 8.8.8.8'.split('|'),
  ...'X-Forwarded-Host: evil.test|X-Company-Id: 1|RSC: 1|Next-Action: x|Next-Router-Prefetch: 1'.split('|'),
  ...'x-middleware-subrequest: middleware|__proto__: x|constructor: x|Origin: https://evil.test'.split('|'),
  ...'Cookie: next-auth.session-token=x|Upgrade: h2c|Expect: 100-continue|Expect: nonsense'.split('|'),
  ...'Content-Encoding: gzip|Content-Encoding: identity|Transfer-Encoding: gzip|TE: trailers'.split('|'),
  ...'Prefer: respond-async|X-Request-Id: 1|Forwarded: for=1.2.3.4'.split('|'),
  `X-Long: ${'l'.repeat(2000)}`,
];

const unknownKey = generateKey();

function authorise(key: string, chance: Random): string[] {
  const kind = chance.next();
  if (kind < 0.6) return [`X-API-Key: ${key}`];
  if (kind < 0.85)
    return [`Authorization: ${chance.of(['Bearer', 'bearer', 'BEARER'])}${chance.of([' ', '  '])}${key}`];
  return chance.of<string[]>([
    [],
    ['Authorization:'],
    ['X-API-Key:'],
    [`Authorization: ${key}`],
    [`Authorization: Token ${key}`],
    [`Authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['Authorization: Basic dXNlcjpwYXNz', `X-API-Key: ${key}`],
    [`Authorization: Bearer ${key}`, `X-API-Key: ${key}`],
    [`X-API-Key: ${key.slice(0, chance.below(68))}`],
    [`X-API-Key: ${key}${chance.of(['0', '%00', ' x', '"'])}`],
    [`X-API-Key: Bearer ${key}`],
    [`X-API-Key: ${unknownKey}`],
    [`X-API-Key: ${key}`, `X-API-Key: ${key}`],
    [`Authorization: Bearer ${key}`, 'Authorization: Bearer x'],
    ['Authorization: Bearer %E0%A4%A'],
    [`X-API-Key: jss_${'a'.repeat(chance.below(9000))}`],
  ]);
}

const idempotency = (chance: Random) =>
  chance.happens(0.9)
    ? `once-${chance.below(300)}`
    : chance.of(['', ' ', 'a b', 'é', 'x'.repeat(255), 'x'.repeat(256), '\u007f']);

/** Makes a random request with one of these keys: mostly almost valid, sometimes not HTTP. */
export function makeRequest(keys: readonly string[], chance: Random): Made {
  const key = chance.of(keys);
  const kind = chance.next();
  if (kind < 0.03) return malformed(key, chance);
  if (kind > 0.995) return asGet(`${path}?aksi=ping&key=${key}`);
  const wanted = makeWanted(kind, chance);
  const headers = [
    'Host: 127.0.0.1',
    ...authorise(key, chance),
    ...wanted.headers,
    ...(chance.happens(0.15) ? [chance.of(oddHeaders)] : []),
    ...(chance.happens(0.05) ? [chance.of(oddHeaders)] : []),
  ];
  if (chance.happens(0.2))
    headers.push(`Accept-Language: ${chance.of(['id', 'id-ID,id;q=0.9', 'en', 'en-GB,en;q=0.9'])}`);
  return asBytes(wanted, headers, chance);
}

type Wanted = { method: string; query: string; headers: string[]; body: Body | null };

function makeWanted(kind: number, chance: Random): Wanted {
  const method = kind < 0.5 ? chance.of(['GET', 'GET', 'GET', 'HEAD']) : kind < 0.92 ? 'POST' : chance.of(methods);
  const query = method === 'POST' ? chance.of(['', '', '', '?aksi=ping', '?judul=a']) : chance.of(queries);
  const headers = method === 'POST' && chance.happens(0.3) ? [`Idempotency-Key: ${idempotency(chance)}`] : [];
  return { method, query, headers, body: method === 'POST' || chance.happens(0.1) ? makeBody(chance) : null };
}

function asBytes({ method, query, body }: Wanted, headers: string[], chance: Random): Made {
  const { contentType, bytes } = body ?? { contentType: null, bytes: Buffer.alloc(0) };
  if (contentType !== null) headers.push(`Content-Type: ${contentType}`);
  // Transfer-Encoding and Expect are refused, and the connection cannot be used again.
  const ends = headers.some((header) => /^Transfer-Encoding|^Expect/.test(header));
  const chunked = body !== null && !ends && chance.happens(0.1);
  if (chunked) headers.push('Transfer-Encoding: chunked');
  else if (body !== null && !ends) headers.push(`Content-Length: ${bytes.length}`);
  const sent = chunked ? asChunks(bytes, chance) : ends ? Buffer.alloc(0) : bytes;
  const target = `${chance.happens(0.02) ? 'http://127.0.0.1' : ''}${path}${query}`;
  const head = `${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  const isSend = method === 'POST';
  const bytesOf = Buffer.concat([Buffer.from(head, 'latin1'), sent]);
  return {
    bytes: bytesOf,
    method,
    ends: ends || bytes.length > 65_536,
    isSend,
    language: languageOf(headers, ends),
    misspelt: isMisspelt(bytes.toString('latin1')),
  };
}

const isMisspelt = (body: string) => /(?:[,{"=]|^|&)(?:userId|USER-ID)(?:"|=)/.test(body) && !body.includes('user_id');

function languageOf(headers: string[], ends: boolean): Made['language'] {
  const asked = headers.filter((header) => /^accept-language/i.test(header));
  if (ends || asked.length > 1) return null;
  return asked.length === 0 ? 'en' : preferredLanguage(asked[0]?.slice(17) ?? null);
}

const asGet = (target: string): Made => ({
  bytes: Buffer.from(`GET ${target} HTTP/1.1\r\nHost: h\r\n\r\n`),
  method: 'GET',
  ends: false,
  isSend: false,
  language: null,
});

function asChunks(bytes: Buffer, chance: Random): Buffer {
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const piece = bytes.subarray(at, at + 1 + chance.below(5000));
    pieces.push(
      Buffer.from(`${piece.length.toString(16)}${chance.happens(0.1) ? ';x=y' : ''}\r\n`),
      piece,
      Buffer.from('\r\n'),
    );
    at += piece.length;
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]);
}

// Answered with 400, or 404 where it is HTTP, and the connection closes.
function malformed(key: string, chance: Random): Made {
  const head = `Host: h\r\nX-API-Key: ${key}\r\n`;
  const text = chance.of([
    `GET ${path}?aksi=ping HTTP/1.1\r\nX-API-Key: ${key}\r\n\r\n`,
    `GET ${path}?aksi=ping HTTP/1.1\r\n${head}Host: other\r\n\r\n`,
    `GET ${path}?aksi=ping HTTP/1.1\r\n${head}Bad Header: x\r\n\r\n`,
    `GET ${path}?aksi=ping HTTP/1.1\r\n${head}X: a\u0000b\r\n\r\n`,
    `GET ${path}?aksi=ping HTTP/1.1\r\n${head} folded\r\n\r\n`,
    `get ${path}?aksi=ping HTTP/1.1\r\n${head}\r\n`,
    `FOO ${path} HTTP/1.1\r\n${head}\r\n`,
    `GET ${path}?aksi=ping HTTP/9.9\r\n${head}\r\n`,
    `POST ${path} HTTP/1.1\r\n${head}Content-Length: -1\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n${head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!`,
    `POST ${path} HTTP/1.1\r\n${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n${head}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
    `GET ${path}?aksi=ping HTTP/1.1\r\n${head}X-Long: ${'l'.repeat(17_000)}\r\n\r\n`,
    `GET ${path}?${'q'.repeat(20_000)} HTTP/1.1\r\n${head}\r\n`,
    `GET ${path}/ HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
    `POST //api/v1/notif.php HTTP/1.1\r\n${head}Connection: close\r\nContent-Length: 0\r\n\r\n`,
    `GET /API/v1/notif.php HTTP/1.1\r\n${head}Connection: close\r\n\r\n`,
    `\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003`,
    Array.from({ length: 20 + chance.below(200) }, () => String.fromCharCode(33 + chance.below(90))).join('') +
      '\r\n\r\n',
  ]);
  return { bytes: Buffer.from(text, 'latin1'), method: 'GET', ends: true, isSend: false, language: null };
}
