import type { Failure } from '#server/api/failures.ts';
import { parseMultipart } from '#server/api/multipart.ts';
import { sendFields } from '#server/api/wire.ts';
import { isKey } from '#server/keys.ts';

/** Largest body that is read (contract §6). */
export const largestBodyBytes = 64 * 1024;

/** Longest wait for the whole body. */
export const bodyDeadlineMs = 10_000;

/** What the handler needs of a request, whichever server it came through. Repeated headers are joined by `, `. */
export type NotifRequest = {
  method: string;
  /** The query with its `?`, or the empty string. */
  search: string;
  /** Where the request came from, as far as that is known. */
  address: string;
  header(name: string): string | null;
  /** The whole body, read at most once; more than `largestBodyBytes` is not kept. */
  readBody(): Promise<Uint8Array | 'too-large' | 'incomplete'>;
};

// Space and tab only, as HTTP knows them (RFC 9110 §5.5): `trim` would also take a no-break space off a key.
const trimBlanks = (value: string) => value.replace(/^[ \t]+|[ \t]+$/g, '');
const bearer = /^bearer(?: +(.*))?$/i;

/**
 * The well-formed key a request carries in exactly one of its two headers (contract §3). A value that does not
 * begin with `jss_` is not a key and does not count: a staging gate's Basic, a gateway's token, an empty header. A failure
 * names the key that came in the wrong way, so that its owner can be shown what went wrong.
 */
export function findKey({ header }: NotifRequest): { key: string } | (Failure & { misplaced?: string }) {
  const authorization = trimBlanks(header('authorization') ?? '');
  const inBearer = bearer.exec(authorization)?.[1] ?? '';
  const inHeader = trimBlanks(header('x-api-key') ?? '');
  const bare = authorization.startsWith('jss_');
  const claims = [bare ? authorization : inBearer, inHeader].filter((value) => value.startsWith('jss_'));
  const [key] = claims;
  if (key === undefined) return { code: 'key_missing' };
  const misplaced = claims.find(isKey);
  if (claims.length > 1) return { code: 'key_in_both_headers', misplaced };
  if (bare) return { code: 'key_without_bearer', misplaced };
  return isKey(key) ? { key } : { code: 'key_malformed' };
}

/** The one value of the query parameter `aksi`, unchecked. */
export function readAction(search: string): { aksi: string } | Failure {
  const values = new URLSearchParams(search).getAll('aksi');
  if (values.length > 1) return { code: 'aksi_repeated', field: 'aksi', figures: { count: values.length } };
  return values[0] ? { aksi: values[0] } : { code: 'aksi_missing', field: 'aksi' };
}

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/** The `Idempotency-Key` header: absent is null, another form or a second one a failure (contract §7). */
export function readIdempotencyKey({ header }: NotifRequest): { idempotencyKey: string | null } | Failure {
  const value = header('idempotency-key');
  if (value === null) return { idempotencyKey: null };
  return visibleAscii.test(value) ? { idempotencyKey: value } : { code: 'idempotency_key_malformed' };
}

/** The fields of a body by name, each unchecked. */
export type Fields = { fields: Record<string, unknown> };

/** Reads a body in one of the three forms of contract §6 into its fields; nothing is repaired or guessed. */
export async function readFields(request: NotifRequest): Promise<Fields | Failure> {
  const contentType = request.header('content-type')?.trim() ?? '';
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') return { code: 'content_encoding_unsupported' };
  const read = readers.get(contentType.split(';')[0]?.trim().toLowerCase() ?? '');
  const body = await request.readBody();
  if (body === 'too-large') return { code: 'body_too_large' };
  if (body === 'incomplete') return { code: 'body_incomplete' };
  if (!read) return { code: contentType === '' ? 'content_type_missing' : 'content_type_unsupported' };
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return { code: 'charset_unsupported' };
  return read(body, contentType);
}

type Reader = (body: Uint8Array, contentType: string) => Fields | Failure | Promise<Fields | Failure>;

const readers = new Map<string, Reader>([
  ['application/json', readJson],
  ['application/x-www-form-urlencoded', readUrlEncoded],
  ['multipart/form-data', readMultipart],
]);

// Skips a byte order mark; refuses every invalid sequence instead of replacing it.
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(body: Uint8Array): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

const looksLikeJson = /^\s*[{[]/;

function readJson(body: Uint8Array): Fields | Failure {
  const text = decode(body);
  if (text === null) return { code: 'body_not_utf8' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { code: /^\w+=/.test(text) ? 'form_labelled_as_json' : 'json_malformed' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { code: 'json_not_object' };
  const fields = value as Record<string, unknown>;
  if (
    typeof fields.user_id === 'number' &&
    Object.hasOwn(fields, 'user_id') &&
    !isExactInteger(sourceOf(text, 'user_id'))
  )
    return { code: 'user_id_not_integer', field: 'user_id' };
  return { fields: own(Object.entries(fields)) };
}

// A null prototype, so that no name of a caller's can reach Object.prototype; `__proto__` is just unknown.
function own(entries: Iterable<[string, unknown]>): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) if (sendFields.includes(name)) fields[name] = value;
  return fields;
}

const jsonTokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/**
 * How the number of a top-level member was written; of a repeated name the last one counts. Walks the tokens of
 * a text that JSON.parse accepted: its own reviver would recurse, and 5,000 levels of an unknown field end that.
 */
function sourceOf(text: string, name: string): string {
  let source = '';
  let depth = 0;
  let key: string | null = null;
  let previous = '';
  for (const [token] of text.matchAll(jsonTokens)) {
    if (token === ':' && depth === 1) key = previous;
    else if (token !== ',' && depth === 1 && key !== null) {
      if (JSON.parse(key) === name) source = token;
      key = null;
    }
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    previous = token;
  }
  return source;
}

/** Whether a JSON number says an integer by its digits: `5.0` and `5e0` do, `1e-400` (which a double rounds to 0) does not. */
function isExactInteger(source: string): boolean {
  const [, whole = '', fraction = '', exponent = '0'] = /^-?(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(source) ?? [];
  const places = fraction.length - Number(exponent);
  if (places <= 0) return Number.isFinite(Number(source));
  const digits = whole + fraction;
  return /^0*$/.test(places >= digits.length ? digits : digits.slice(-places));
}

function collect(pairs: Iterable<[string, unknown]>): Fields | Failure {
  const seen = new Set<string>();
  const known: [string, unknown][] = [];
  for (const [name, value] of pairs) {
    if (!sendFields.includes(name)) continue;
    if (seen.has(name)) return { code: 'field_repeated', field: name };
    seen.add(name);
    known.push([name, value]);
  }
  return { fields: own(known) };
}

function readUrlEncoded(body: Uint8Array): Fields | Failure {
  const text = decode(body);
  if (text === null) return { code: 'body_not_utf8' };
  if (looksLikeJson.test(text)) return { code: 'json_labelled_as_form' };
  try {
    return collect(text.split('&').filter(Boolean).map(asPair));
  } catch {
    return { code: 'form_malformed' };
  }
}

// decodeURIComponent throws on a broken escape and on invalid UTF-8, where URLSearchParams would guess.
function asPair(part: string): [string, string] {
  const [name = '', ...value] = part.split('=').map((text) => text.replaceAll('+', ' '));
  return [decodeURIComponent(name), decodeURIComponent(value.join('='))];
}

function readMultipart(body: Uint8Array, contentType: string): Fields | Failure {
  const text = decode(body);
  if (text !== null && looksLikeJson.test(text)) return { code: 'json_labelled_as_form' };
  const parts = parseMultipart(body, contentType);
  if (parts === 'charset') return { code: 'charset_unsupported' };
  const file = typeof parts === 'string' ? undefined : parts.find(({ isFile }) => isFile);
  if (file) return { code: 'file_not_accepted', field: file.name.isWellFormed() ? file.name : undefined };
  if (text === null) return { code: 'body_not_utf8' };
  return typeof parts === 'string'
    ? { code: 'form_malformed' }
    : collect(parts.map(({ name, value }) => [name, value]));
}
