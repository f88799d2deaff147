import type { Failure } from '#server/api/failures.ts';
import { parseMultipart } from '#server/api/multipart.ts';
import { jsonProblemOf, kindOf, quoted } from '#server/api/received-kind.ts';
import type { NotifRequest } from '#server/api/request.ts';
import { JsonNumber } from '#server/api/user-id.ts';
import { decode, looksLikeUtf16, refuseEncoding } from '#server/api/utf8.ts';
import { type ReceivedFields, sendFields } from '#server/api/wire.ts';

/** Reads the fields of a body in one of the three media types (contract §6). Repairs nothing. */
export async function readFields(request: NotifRequest): Promise<ReceivedFields | Failure> {
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

// A chunked body announces no length.
function announcedLength({ header }: NotifRequest): number | undefined {
  const length = Number(header('content-length') ?? Number.NaN);
  return Number.isSafeInteger(length) ? length : undefined;
}

const refuseCharset = (charset: string): Failure => ({
  code: 'charset_unsupported',
  figures: { came: quoted(charset) },
});

type Reader = (body: Uint8Array, contentType: string) => ReceivedFields | Failure;

const readers = new Map<string, Reader>([
  ['application/json', readJson],
  ['application/x-www-form-urlencoded', readUrlEncoded],
  ['multipart/form-data', readMultipart],
]);

const looksLikeJson = /^\s*[{[]/;

function readJson(body: Uint8Array): ReceivedFields | Failure {
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
  const fields = pickSendFields(Object.entries(value));
  if (typeof fields.user_id === 'number') fields.user_id = new JsonNumber(sourceOf(text, 'user_id'));
  return { fields, names: Object.keys(value) };
}

// Without a prototype no field name can reach `Object.prototype`; `__proto__` is an unknown name.
function pickSendFields(entries: Iterable<[string, unknown]>): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, value] of entries) if (sendFields.includes(name)) fields[name] = value;
  return fields;
}

const jsonTokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/**
 * How the number of a top-level member was written in a text that `JSON.parse` accepted. Of a
 * repeated name the last member counts. A reviver would recurse, and overflow the stack on deeply
 * nested fields.
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

function collectPairs(pairs: [string, unknown][]): ReceivedFields | Failure {
  const names = pairs.map(([name]) => name);
  for (const field of sendFields) {
    const count = names.filter((name) => name === field).length;
    if (count > 1) return { code: 'field_repeated', field, figures: { count } };
  }
  return { fields: pickSendFields(pairs), names };
}

function readUrlEncoded(body: Uint8Array): ReceivedFields | Failure {
  const text = decode(body);
  if (text === null) return refuseEncoding(body);
  if (looksLikeJson.test(text)) return { code: 'json_labelled_as_form' };
  try {
    return collectPairs(text.split('&').filter(Boolean).map(asPair));
  } catch {
    return { code: 'form_malformed', figures: { came: 'percent' } };
  }
}

// Throws on a broken escape and on invalid UTF-8, which URLSearchParams would replace.
function asPair(part: string): [string, string] {
  const [name = '', ...value] = part.split('=').map((text) => text.replaceAll('+', ' '));
  return [decodeURIComponent(name), decodeURIComponent(value.join('='))];
}

function readMultipart(body: Uint8Array, contentType: string): ReceivedFields | Failure {
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
  return text === null ? refuseEncoding(body) : collectPairs(parts.map(({ name, value }) => [name, value]));
}
