import { type Body, makeBody } from '#e2e/fuzz/bodies.ts';
import type { Random } from '#e2e/support/data/random.ts';
import { words } from '#e2e/support/data/words.ts';
import { preferredLanguage } from '#server/api/language.ts';
import { isRecipient } from '#server/api/send.ts';
import { generateKey } from '#server/keys/keys.ts';

/**
 * A request as bytes. `isSend`: a 200 is a send. `language`: the language of a failure, null where it
 * is not determined. `misspelt`: its body has a field that can only mean the recipient, and no
 * `user_id`.
 */
export type Made = {
  bytes: Buffer;
  method: string;
  isSend: boolean;
  language: 'en' | 'id' | null;
  misspelt?: boolean;
};

const path = '/api/v1/notif.php';
const methods = ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'REPORT', 'MKCOL', 'PURGE'];
const queries = [
  ...words('?aksi=ping ?aksi=ping ?aksi=karyawan ? ?aksi ?aksi= ?Aksi=ping ?aksi[]=ping ?aksi=PING ?action=ping'),
  ...words('?aksi=ping&aksi=ping ?aksi=kirim&judul=a ?aksi=%zz ?aksi=ping%00 ?aksi=toString ?%ff=%ff ?aksi=ping;x'),
  `?aksi=ping&x=${'y'.repeat(3000)}`,
];
const oddHeaders = [
  ...'Accept: text/html|Accept-Language: id|Accept-Language: id;q=0,en|Accept-Language: ;;;|Range: bytes=0-3'.split(
    '|',
  ),
  ...'X-HTTP-Method-Override: DELETE|X-Forwarded-For: 8.8.8.8|X-Company-Id: 1|RSC: 1|Next-Action: x'.split('|'),
  ...'x-middleware-subrequest: middleware|__proto__: x|Origin: https://evil.test|Upgrade: h2c|Expect: nonsense'.split(
    '|',
  ),
  ...'Cookie: next-auth.session-token=x|Content-Encoding: gzip|Transfer-Encoding: gzip|X-Request-Id: 1'.split('|'),
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
    [`Authorization: Basic ${Buffer.from(`${key}:`).toString('base64')}`],
    ['Authorization: Basic dXNlcjpwYXNz', `X-API-Key: ${key}`],
    [`Authorization: Bearer ${key}`, `X-API-Key: ${key}`],
    [`X-API-Key: ${key.slice(0, chance.below(68))}`],
    [`X-API-Key: ${key}${chance.of(['0', '%00', ' x', '"'])}`],
    [`X-API-Key: ${unknownKey}`],
    [`X-API-Key: ${key}`, `X-API-Key: ${key}`],
    ['Authorization: Bearer %E0%A4%A'],
  ]);
}

const idempotency = (chance: Random) =>
  chance.happens(0.9)
    ? `once-${chance.below(300)}`
    : chance.of(['', ' ', 'a b', 'é', 'x'.repeat(255), 'x'.repeat(256), '\u007f']);

/** Makes a random request with one of these keys: mostly almost valid. */
export function makeRequest(keys: readonly string[], chance: Random): Made {
  const key = chance.of(keys);
  const kind = chance.next();
  if (kind > 0.995) return asGet(`${path}?aksi=ping&key=${key}`);
  const wanted = makeWanted(kind, chance);
  const headers = [
    'Host: 127.0.0.1',
    'Connection: close',
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
  const { contentType, bytes, names } = body ?? { contentType: null, bytes: Buffer.alloc(0), names: [] };
  if (contentType !== null) headers.push(`Content-Type: ${contentType}`);
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
    isSend,
    language: languageOf(headers, ends),
    misspelt: names.some(isRecipient) && !names.includes('user_id'),
  };
}

function languageOf(headers: string[], ends: boolean): Made['language'] {
  const asked = headers.filter((header) => /^accept-language/i.test(header));
  if (ends || asked.length > 1) return null;
  return asked.length === 0 ? 'en' : preferredLanguage(asked[0]?.slice(17) ?? null);
}

const asGet = (target: string): Made => ({
  bytes: Buffer.from(`GET ${target} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`),
  method: 'GET',
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
