import { builtActions, builtAddresses } from '#e2e/fixtures/build.ts';
import { words } from '#e2e/fixtures/words.ts';
import type { Made } from '#e2e/fuzz/requests.ts';
import { actions } from '#e2e/tenancy/actions.ts';
import type { Random } from '#harness/random.ts';

// Streams and the watch of a key answer late, and an export is work for minutes.
const left = /^\/(?:portal\/stream$|owner\/keys\/|api\/v1\/notif)/;
const routes = builtAddresses.map(({ route }) => route).filter((route) => !left.test(route));
const called = builtActions.filter(({ name }) => name !== 'createExportAction');

const parameters = [
  ...words('1 0 -1 2147483648 9223372036854775808 1e3 abc null undefined __proto__ constructor NaN'),
  ...words('%00 %ff %2e%2e%2f .. %5c %0d%0aX-Injected:1 %F0%9F%98%80 %ed%a0%80 %'),
  '00000000-0000-0000-0000-000000000000',
  'x'.repeat(3000),
];
const queryNames = words('q search before after from to who key employee request state kind sender page limit count');
const authPaths = words('csrf callback/credentials signout sign-in sign-out session signin error providers _log');

const routerHeaders = [
  ...'RSC: 1|Next-Router-Prefetch: 1|Next-Router-Segment-Prefetch: /_tree|Next-Url: /owner'.split('|'),
  ...'Next-Router-State-Tree: %5B%22%22%5D|Next-Router-State-Tree: {|x-nextjs-data: 1|Next-HMR-Refresh: 1'.split('|'),
  ...'x-middleware-subrequest: middleware|x-action-forwarded: 1|X-Forwarded-Host: evil.test'.split('|'),
  ...'Accept-Language: ;;;|Accept: text/x-component|Content-Encoding: gzip|Expect: 100-continue'.split('|'),
  ...'X-Forwarded-For: ::1, x|Range: bytes=0-1|Next-Resume: 1|Purpose: prefetch'.split('|'),
  `Next-Router-State-Tree: ${'%5B'.repeat(3000)}`,
];
const types = [
  ...words('text/plain;charset=UTF-8 text/plain application/json application/x-www-form-urlencoded'),
  ...'multipart/form-data; boundary=b|multipart/form-data|TEXT/PLAIN|x|;|'.split('|'),
];
const texts = [
  ...words('$ $$ $1 $F1 $K1 $Q1 $W1 $@1 $B1 $undefined $NaN $Infinity $-0 $D $Dx $D2026-01-01 $n1 $T $0:0:0 $L1 $h1'),
  ...'\u0000|\ud800|é|😀|=1+1||/|//evil.test|https://evil.test|gaji|everyone|owner|id|en|Asia/Jakarta'.split('|'),
  'x'.repeat(15_000),
];
const names = words(
  'id no name role note kinds to kind title body url mustConfirm draftId recipientId employeeId keyId numbers upTo before',
).concat(
  words('reopened search username password token code companyName timeZone current next which then __proto__ 0'),
);

function value(chance: Random, depth = 0): unknown {
  const kind = chance.next();
  if (kind < 0.35) return chance.of(texts);
  if (kind < 0.6) return chance.of([0, -0, 1, -1, 1.5, 1e308, 2 ** 31, 2 ** 53, null, true, false]);
  if (depth > 4) return [];
  const several = Array.from({ length: chance.below(5) }, () => value(chance, depth + 1));
  return kind < 0.75 ? several : Object.fromEntries(several.map((one) => [chance.of(names), one]));
}

const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
const noIds = { words: 'kata' } as Parameters<NonNullable<(typeof actions)[string]>['args']>[0];

function argumentsOf(name: string, chance: Random): string {
  const kind = chance.next();
  if (kind < 0.3) return JSON.stringify(actions[name]?.args(noIds) ?? []);
  if (kind < 0.8) return JSON.stringify([value(chance), value(chance)]);
  return chance.of([
    nested('[', ']', 1 + chance.below(8000)),
    nested('{"a":', '}', 1 + chance.below(2000)),
    `[${'1,'.repeat(chance.below(8000))}1]`,
    JSON.stringify(value(chance)).slice(0, -1),
    '\u0000'.repeat(chance.below(100)),
    '',
  ]);
}

const part = (name: string, text: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

function bodyFor(type: string, plain: string, chance: Random): string {
  if (chance.happens(0.1)) return chance.of(['[', '=&', '%', 'a']).repeat(chance.below(20_000));
  if (/multipart/i.test(type))
    return `${Array.from({ length: chance.below(40) }, (_, at) => part(String(at), plain.slice(0, 400))).join('')}--b--\r\n`;
  if (/urlencoded/i.test(type))
    return Array.from(
      { length: chance.below(40) },
      () => `${chance.of(names)}=${encodeURIComponent(plain.slice(0, 300).toWellFormed())}`,
    ).join('&');
  return plain;
}

function pathOf(route: string, chance: Random): string {
  const path = route.replace(/\[(?:\.\.\.)?\w+\]/g, () => chance.of(parameters));
  const odd = chance.happens(0.05) ? chance.of(['//', '/.', '/%2e%2e', '\\', ';x', '/', '%00']) : '';
  if (chance.happens(0.6)) return path + odd;
  const queries = Array.from(
    { length: 1 + chance.below(3) },
    () => `${chance.of(queryNames)}=${chance.of(parameters)}`,
  );
  return `${path}${odd}?${queries.join('&')}`;
}

/** The sessions that page requests may have, as `Cookie` headers. */
export type Cookies = readonly string[];

/**
 * Makes a random request for a page, an action or an address of the sign-in. `port` is the
 * service's. Most come from its own pages, as others are refused at once.
 */
export function makePageRequest(port: number, cookies: Cookies, chance: Random): Made {
  const kind = chance.next();
  const headers = [`Host: 127.0.0.1:${port}`];
  if (chance.happens(0.9)) headers.push(`Origin: http://127.0.0.1:${port}`);
  if (chance.happens(0.4)) headers.push(`Cookie: ${chance.of(cookies)}`);
  if (chance.happens(0.3)) headers.push(chance.of(routerHeaders));
  if (kind < 0.3) return asBytes('GET', pathOf(chance.of(routes), chance), headers, null, chance);
  if (kind < 0.75) {
    const { id, name, pages } = chance.of(called);
    const method = chance.happens(0.95) ? 'POST' : chance.of(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']);
    headers.push(
      `Next-Action: ${chance.happens(0.9) ? id : chance.of(['', 'x', '0'.repeat(42), 'toString', id.slice(1)])}`,
    );
    const type = chance.happens(0.7) ? 'text/plain;charset=UTF-8' : chance.of(types);
    headers.push(`Content-Type: ${type}`);
    const page = chance.happens(0.7) ? chance.of(pages) : chance.of(routes);
    return asBytes(method, pathOf(page, chance), headers, bodyFor(type, argumentsOf(name, chance), chance), chance);
  }
  const path = `/api/auth/${chance.of(authPaths)}${chance.happens(0.3) ? `?callbackUrl=${chance.of(parameters)}` : ''}`;
  const type = chance.of(types);
  headers.push(`Content-Type: ${type}`);
  const method = chance.of(['GET', 'POST', 'POST', 'POST', 'PUT', 'DELETE']);
  return asBytes(
    method,
    path,
    headers,
    method === 'GET' ? null : bodyFor(type, JSON.stringify(value(chance)), chance),
    chance,
  );
}

function asBytes(method: string, path: string, headers: string[], body: string | null, chance: Random): Made {
  const bytes = Buffer.from(body ?? '');
  const chunked = body !== null && chance.happens(0.03);
  if (chunked) headers.push('Transfer-Encoding: chunked');
  else if (body !== null) headers.push(`Content-Length: ${bytes.length}`);
  const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`, 'latin1');
  const sent = chunked
    ? Buffer.from(`${bytes.length.toString(16)}\r\n${bytes.toString('latin1')}\r\n0\r\n\r\n`, 'latin1')
    : bytes;
  return { bytes: Buffer.concat([head, sent]), method, ends: false, isSend: false, language: null };
}

/** How the response to a page request is wrong, in a few words, or null. */
export function findPageFault({
  status,
  headers,
  body,
}: {
  status: number;
  headers: Map<string, string>;
  body: string;
}): string | null {
  // Sign-ins wait in a queue, which may be full.
  if (status < 200 || (status >= 500 && status !== 503)) return `status ${status}`;
  if (headers.get('x-content-type-options') !== 'nosniff') return 'nosniff';
  if (headers.has('x-powered-by') || headers.has('x-injected')) return 'a header too many';
  if (/evil\.test/.test(headers.get('location') ?? '')) return 'Location';
  return /\n\s+at \S+ \(|node_modules|x-passed-on-by/.test(body) ? 'a stack' : null;
}
