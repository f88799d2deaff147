import type { Failure } from '#server/api/failures.ts';
import { parseMultipart } from '#server/api/multipart.ts';
import { jsonProblemOf, kindOf, listNames, quoted } from '#server/api/received-kind.ts';
import { decode, looksLikeUtf16, refuseEncoding } from '#server/api/utf8.ts';
import { refuseUserId, sendFields } from '#server/api/wire.ts';

/** Largest body that is read (contract §6). */
export const largestBodyBytes = 64 * 1024;

/** Longest wait for the whole body. */
export const bodyDeadlineMs = 10_000;

/** How long what still comes of a refused body is read and thrown away, so that whoever sends it gets the answer. */
export const lingerMs = 2000;

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

/** The one value of the query parameter `aksi`, unchecked. */
export function readAction(search: string): { aksi: string } | Failure {
  const query = new URLSearchParams(search);
  const values = query.getAll('aksi');
  if (values.length > 1) return { code: 'aksi_repeated', field: 'aksi', figures: { count: values.length } };
  if (values[0]) return { aksi: values[0] };
  return { code: 'aksi_missing', field: 'aksi', figures: { names: listNames([...query.keys()]) } };
}

/** The failure of an `aksi` that is none. */
export const unknownAction = (aksi: string): Failure => ({
  code: 'aksi_unknown',
  field: 'aksi',
  figures: { came: quoted(aksi) },
});

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/** The `Idempotency-Key` header: absent is null, another form or a second one a failure (contract §7). */
export function readIdempotencyKey({ header }: NotifRequest): { idempotencyKey: string | null } | Failure {
  const value = header('idempotency-key');
  if (value === null) return { idempotencyKey: null };
  if (visibleAscii.test(value)) return { idempotencyKey: value };
  const strange = value.search(/[^\x21-\x7e]/);
  const figures = { length: value.length, position: strange === -1 ? undefined : strange + 1 };
  return { code: 'idempotency_key_malformed', figures };
}

/** The fields of a body by name, each unchecked, and the names of all that came. */
export type Fields = { fields: Record<string, unknown>; names: string[] };

/** Reads a body in one of the three forms of contract §6 into its fields; nothing is repaired or guessed. */
export async function readFields(request: NotifRequest): Promise<Fields | Failure> {
  const contentType = request.header('content-type')?.trim() ?? '';
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity')
    return { code: 'content_encoding_unsupported', figures: { came: quoted(encoding) } };
  const mediaType = contentType.split(';')[0]?.trim() ?? '';
  const read = readers.get(mediaType.toLowerCase());
  const body = await request.readBody();
  if (body === 'too-large') return { code: 'body_too_large', figures: { length: announcedLength(request) } };
  if (body === 'incomplete') return { code: 'body_incomplete' };
  if (contentType === '') return { code: 'content_type_missing' };
  if (!read) return { code: 'content_type_unsupported', figures: { came: quoted(mediaType) } };
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return refuseCharset(charset);
  return read(body, contentType);
}

// A body that came in chunks has none.
function announcedLength({ header }: NotifRequest): number | undefined {
  const length = Number(header('content-length') ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : undefined;
}

const refuseCharset = (charset: string): Failure => ({
  code: 'charset_unsupported',
  figures: { came: quoted(charset) },
});

type Reader = (body: Uint8Array, contentType: string) => Fields | Failure | Promise<Fields | Failure>;

const readers = new Map<string, Reader>([
  ['application/json', readJson],
  ['application/x-www-form-urlencoded', readUrlEncoded],
  ['multipart/form-data', readMultipart],
]);

const looksLikeJson = /^\s*[{[]/;

function readJson(body: Uint8Array): Fields | Failure {
  const text = decode(body);
  if (text === null) return refuseEncoding(body);
  if (/^\s*$/.test(text)) return { code: 'body_empty' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (/^\w+=/.test(text)) return { code: 'form_labelled_as_json' };
    return looksLikeUtf16(text)
      ? { code: 'body_utf16' }
      : { code: 'json_malformed', figures: jsonProblemOf(text, error) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { code: 'json_not_object', figures: { came: kindOf(value) } };
  const fields = value as Record<string, unknown>;
  if (typeof fields.user_id === 'number' && Object.hasOwn(fields, 'user_id')) {
    const source = sourceOf(text, 'user_id');
    if (!isExactInteger(source)) return refuseUserId(fields.user_id, source);
  }
  return { fields: own(Object.entries(fields)), names: Object.keys(fields) };
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

function collect(pairs: [string, unknown][]): Fields | Failure {
  const names = pairs.map(([name]) => name);
  for (const field of sendFields) {
    const count = names.filter((name) => name === field).length;
    if (count > 1) return { code: 'field_repeated', field, figures: { count } };
  }
  return { fields: own(pairs), names };
}

function readUrlEncoded(body: Uint8Array): Fields | Failure {
  const text = decode(body);
  if (text === null) return refuseEncoding(body);
  if (looksLikeJson.test(text)) return { code: 'json_labelled_as_form' };
  try {
    return collect(text.split('&').filter(Boolean).map(asPair));
  } catch {
    return { code: 'form_malformed', figures: { came: 'percent' } };
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
  if (parts === 'malformed')
    return text === null ? refuseEncoding(body) : { code: 'form_malformed', figures: { came: 'multipart' } };
  if (!Array.isArray(parts)) return refuseCharset(parts.charset);
  const file = parts.find(({ isFile }) => isFile);
  if (file) {
    const field = file.name.isWellFormed() ? file.name : undefined;
    return { code: 'file_not_accepted', field, figures: { came: field && quoted(field) } };
  }
  return text === null ? refuseEncoding(body) : collect(parts.map(({ name, value }) => [name, value]));
}
