import { isUtf8 } from 'node:buffer';
import type { Failure, FailureCode, FailureParameters } from '#server/api/failures.ts';
import {
  isPlainName,
  jsonProblemOf,
  kindOf,
  listNames,
  quoted,
  type ReceivedKind,
  shellMistakeOf,
  webhookOfHeaders,
} from '#server/api/received-kind.ts';
import { Absent, isSendField, JsonNumber, type ReceivedFields, sendFields } from '#server/api/send.ts';
import { isKey } from '#server/keys/keys.ts';

/** The largest body that is read, in bytes (contract §6). */
export const maxBodyBytes = 64 * 1024;

/** The largest body that is parsed before its key is checked, in bytes. */
export const maxShortBodyBytes = 8 * 1024;

export const bodyDeadlineMs = 10_000;

/** How long the rest of a rejected body is read, so that its sender can read the response. */
export const idleKeepAliveMs = 2000;

/**
 * A request of the public interface, independent of the HTTP server. `search`: the query with its `?`. `address`: the
 * client's, or `unknown`. `header` takes a name in lower case; repeated ones are joined by `, `. `hasShortBody`: all of
 * it has arrived, at most `maxShortBodyBytes`. `readBody` is called once.
 */
export type NotifRequest = {
  method: string;
  search: string;
  address: string;
  header(name: string): string | null;
  hasShortBody(): Promise<boolean>;
  readBody(): Promise<ReceivedBody>;
};

/** A whole body, or why not: over `maxBodyBytes`, or incomplete after `bodyDeadlineMs`. */
export type ReceivedBody = Uint8Array | 'too-large' | 'incomplete';

type FoundKey = { key: string } | { failure: Failure; misplacedKey?: string };

// Only space and tab (RFC 9110 §5.5). `trim` would also remove a no-break space.
const trimBlanks = (value: string) => value.replace(/^[ \t]+|[ \t]+$/g, '');
const bearer = /^bearer(?: +(.*))?$/i;

/**
 * Finds the key of a request, in exactly one of its two headers (contract §3). A value without `jss_` is ignored. A key
 * in another place is only looked up, to show its company the failed request.
 */
export function findKey(request: NotifRequest): FoundKey {
  const { header } = request;
  const authorization = trimBlanks(header('authorization') ?? '');
  const inBearer = bearer.exec(authorization)?.[1] ?? '';
  const inHeader = trimBlanks(header('x-api-key') ?? '');
  const withoutBearer = authorization.startsWith('jss_');
  const claims = [withoutBearer ? authorization : inBearer, inHeader].filter((value) => value.startsWith('jss_'));
  const [key] = claims;
  if (key === undefined) return explainMissingKey(authorization, inHeader, request);
  const misplacedKey = claims.find(isKey);
  if (claims.length > 1) return { failure: { code: 'key_in_both_headers' }, misplacedKey };
  if (withoutBearer) return { failure: { code: 'key_without_bearer' }, misplacedKey };
  return isKey(key) ? { key } : { failure: { code: 'key_malformed', parameters: { length: key.length } } };
}

const anyKey = /jss_[0-9A-Za-z]{64}/;

// Looks for a key in the places where callers put it by mistake.
function explainMissingKey(authorization: string, inHeader: string, { search, header }: NotifRequest): FoundKey {
  const basic = /^basic +([\w+/=-]+)$/i.exec(authorization)?.[1] ?? '';
  const places: [string, ReceivedKind][] = [
    [inHeader, /^bearer\s/i.test(inHeader) ? 'bearer_beside_key' : 'wrapped'],
    [Buffer.from(basic, 'base64').toString('latin1'), 'basic'],
    [authorization, /^(?!bearer)\w+ +jss_/i.test(authorization) ? 'other_scheme' : 'wrapped'],
  ];
  for (const [text, received] of places) {
    const misplaced = anyKey.exec(text)?.[0];
    if (misplaced !== undefined)
      return { failure: { code: 'key_wrapped', parameters: { received } }, misplacedKey: onlyKey(misplaced) };
  }
  const inQuery = anyKey.exec(search)?.[0];
  if (inQuery !== undefined) return { failure: { code: 'key_in_query' }, misplacedKey: onlyKey(inQuery) };
  const [name, value] =
    likelyHeaders
      .map((headerName) => [headerName, header(headerName.toLowerCase()) ?? ''])
      .find(([headerName, held]) => looksLikeKey(headerName, held)) ?? [];
  const parameters = { header: name && quoted(name), webhook: webhookOfHeaders(header) };
  return { failure: { code: 'key_missing', parameters }, misplacedKey: onlyKey(anyKey.exec(value ?? '')?.[0] ?? '') };
}

// The two headers, and names that callers and generated clients use instead.
const likelyHeaders =
  'X-API-Key Authorization apiKey api-key api_key X-API-Token X-Auth-Token X-Access-Token X-Token token key'.split(' ');
const looksLikeKey = (name = '', held = '') =>
  name === 'X-API-Key' ? held !== '' : name === 'Authorization' ? /^bearer +\S/i.test(held) : anyKey.test(held);

const onlyKey = (text: string) => (isKey(text) ? text : undefined);

/** Reads the query parameter `aksi`, which must come exactly once. Its value is not checked yet. */
export function readAction(search: string): { aksi: string } | Failure {
  const query = new URLSearchParams(search);
  const values = query.getAll('aksi');
  if (values.length > 1) return { code: 'aksi_repeated', field: 'aksi', parameters: { count: values.length } };
  if (values[0]) return { aksi: values[0] };
  return { code: 'aksi_missing', field: 'aksi', parameters: { names: listNames([...query.keys()]) } };
}

/** Reads the optional `Idempotency-Key`: 1 to 255 visible ASCII characters, once (contract §7). */
export function readIdempotencyKey({ header }: NotifRequest): { idempotencyKey: string | null } | Failure {
  const value = header('idempotency-key');
  if (value === null) return { idempotencyKey: null };
  if (/^[\x21-\x7e]{1,255}$/.test(value)) return { idempotencyKey: value };
  const strange = value.search(/[^\x21-\x7e]/);
  const parameters = { length: value.length, position: strange === -1 ? undefined : strange + 1 };
  return { code: 'idempotency_key_malformed', parameters };
}

/** Reads the fields of a body in one of the three media types (contract §6). Repairs nothing. */
export async function readFields(request: NotifRequest): Promise<ReceivedFields | Failure> {
  const contentType = request.header('content-type')?.trim() ?? '';
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding !== '' && encoding !== 'identity') return refuse('content_encoding_unsupported', encoding);
  const mediaType = contentType.split(';')[0]?.trim() ?? '';
  const read = readers.get(mediaType.toLowerCase());
  const body = await request.readBody();
  if (body === 'too-large') {
    // A chunked body announces no length.
    const length = Number(request.header('content-length') ?? Number.NaN);
    return { code: 'body_too_large', parameters: { length: Number.isSafeInteger(length) ? length : undefined } };
  }
  if (body === 'incomplete') return { code: 'body_incomplete' };
  if (contentType === '') return { code: 'content_type_missing' };
  if (!read) return refuse('content_type_unsupported', mediaType);
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)"?/i.exec(contentType)?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return refuse('charset_unsupported', charset);
  const parameters = [...new URLSearchParams(request.search).keys()].filter((name) => name !== 'aksi');
  return read(body, parameters, contentType);
}

const refuse = (code: FailureCode, value: string): Failure => ({ code, parameters: { received: quoted(value) } });

type Read = (body: Uint8Array, parameters: string[], contentType: string) => ReceivedFields | Failure;

const readers = new Map<string, Read>([
  ['application/json', readJson],
  ['application/x-www-form-urlencoded', readUrlEncoded],
  ['multipart/form-data', readMultipart],
]);

// A shell may have left a quote before it.
const looksLikeJson = /^\s*'?[{[]/;

const refuseJsonAsForm = (text: string): Failure => ({
  code: 'json_labelled_as_form',
  parameters: { received: shellMistakeOf(text) },
});

function readJson(body: Uint8Array, parameters: string[]): ReceivedFields | Failure {
  const text = decode(body);
  if (text === null) return refuseEncoding(body);
  if (/^\s*$/.test(text)) return { code: 'body_empty' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (/^\w+=/.test(text)) return { code: 'form_labelled_as_json' };
    // UTF-16 that was decoded as UTF-8 has a NUL beside each letter.
    return /^(?:\0[\x20-\x7f]|[\x20-\x7f]\0){2}/.test(text)
      ? { code: 'body_utf16' }
      : { code: 'json_malformed', parameters: jsonProblemOf(text, error) };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { code: 'json_not_object', parameters: { received: isJsonText(value) ? 'json_in_text' : kindOf(value) } };
  const fields = pickFields(value, parameters);
  return typeof fields.user_id === 'number'
    ? { ...fields, user_id: new JsonNumber(sourceOf(text, 'user_id')) }
    : fields;
}

const isJsonText = (value: unknown) => typeof value === 'string' && looksLikeJson.test(value);

// Takes the fields of a send only, so no name of a body can reach `Object.prototype`.
function pickFields(body: object, parameters: string[]): ReceivedFields {
  const absent = new Absent(Object.keys(body), parameters);
  const values = new Map<string, unknown>(Object.entries(body));
  const pick = (name: string): unknown => (values.has(name) ? values.get(name) : absent);
  return Object.fromEntries(sendFields.map((name) => [name, pick(name)])) as ReceivedFields;
}

const jsonTokens = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

// Returns the source text of a top-level number in valid JSON. Of a repeated name the last member
// counts. A reviver would recurse, and overflow the stack on deeply nested fields.
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

function collectPairs(pairs: [string, unknown][], parameters: string[]): ReceivedFields | Failure {
  const names = pairs.map(([name]) => name);
  for (const field of sendFields) {
    const count = names.filter((name) => name === field).length;
    if (count > 1) return { code: 'field_repeated', field, parameters: { count } };
  }
  return pickFields(Object.fromEntries(pairs), parameters);
}

function readUrlEncoded(body: Uint8Array, parameters: string[]): ReceivedFields | Failure {
  const text = decode(body);
  if (text === null) return refuseEncoding(body);
  if (looksLikeJson.test(text)) return refuseJsonAsForm(text);
  const parts = text.split('&').filter(Boolean);
  try {
    return collectPairs(parts.map(asPair), parameters);
  } catch {
    return { code: 'form_malformed', parameters: explainEscape(text) };
  }
}

// What is wrong with the escapes of a form, and the position of the first wrong one, from 1.
function explainEscape(text: string): FailureParameters {
  for (const { 0: run, index } of text.matchAll(/(?:%[0-9a-f]{2})+|%/gi)) {
    if (run === '%') return { received: 'percent', position: index + 1 };
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    if (isUtf8(bytes)) continue;
    // A lone E0 to EF at the end is a letter of Latin-1 rather than a cut one.
    const isCut = isValidPrefix(bytes) && !/(?:^|%[0-7].)%e[^2]$/i.test(run);
    return { received: isCut ? 'cut_letter' : 'latin_1', position: index + 1 };
  }
  return {};
}

// Throws on a broken escape and on invalid UTF-8, which URLSearchParams would replace. Without `=` a part is a piece of
// a text rather than an unknown name, which the answer would list.
function asPair(part: string): [string, string] {
  const [first = '', ...rest] = part.split('=').map((text) => decodeURIComponent(text.replaceAll('+', ' ')));
  return [rest.length > 0 || isSendField(first) ? first : '', rest.join('=')];
}

function readMultipart(body: Uint8Array, parameters: string[], contentType: string): ReceivedFields | Failure {
  const text = decode(body);
  const parts = parseMultipart(body, contentType);
  if (parts === 'malformed' && text !== null && looksLikeJson.test(text)) return refuseJsonAsForm(text);
  if (text === null && typeof parts === 'string') return refuseEncoding(body);
  if (parts === 'malformed') return { code: 'form_malformed', parameters: { received: 'multipart' } };
  if (parts === 'encoded') return { code: 'form_malformed', parameters: { received: 'encoded_part' } };
  if (!Array.isArray(parts)) return refuse('charset_unsupported', parts.charset);
  const file = parts.find(({ isFile }) => isFile);
  if (file) {
    const field = isPlainName(file.name) ? file.name : undefined;
    return { code: 'file_not_accepted', field, parameters: { received: field && quoted(field) } };
  }
  if (text === null) return refuseEncoding(body);
  const pairs = parts.map(({ name, value }): [string, unknown] => [name, value]);
  return collectPairs(pairs, parameters);
}

// Decodes a body without its byte order mark. Null when it is not valid UTF-8 (contract §6).
const decode = (body: Uint8Array): string | null => (isUtf8(body) ? new TextDecoder().decode(body) : null);

// The failure of a body that is not UTF-8: UTF-16, or the position of the first invalid byte.
function refuseEncoding(body: Uint8Array): Failure {
  const [first, second] = body;
  // The two byte order marks of UTF-16.
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return { code: 'body_utf16' };
  return { code: 'body_not_utf8', parameters: { position: findBrokenByte(body) } };
}

// The position of the first invalid byte, from 1, by binary search for the longest valid prefix.
function findBrokenByte(body: Uint8Array): number {
  let [good, bad] = [0, body.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isValidPrefix(body.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return bad;
}

function isValidPrefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

type Part = { name: string; value: string; isFile: boolean };

type MultipartProblem = 'malformed' | 'encoded' | { charset: string };

const boundaryPattern = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))\s*(?:;|$)/i;
const headerPattern = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;
const parameterPattern = /;[ \t]*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))[ \t]*/gy;

/**
 * Parses a multipart form (RFC 7578) of valid UTF-8 strictly: a damaged `user_id` that a library skips would mean
 * everyone (contract §6). Each part has one `Content-Disposition: form-data` with a name; header lines end in CRLF.
 * Preamble and epilogue are skipped (RFC 2046 §5.1.1), unless they hold what may be a damaged part.
 */
export function parseMultipart(body: Uint8Array, contentType: string): Part[] | MultipartProblem {
  const [, quoted, plain] = boundaryPattern.exec(contentType) ?? [];
  const delimiter = `\r\n--${quoted ?? plain ?? ''}`;
  if (delimiter.length === 4) return 'malformed';
  // latin1 keeps one character for each byte. The CRLF makes the first delimiter like the others.
  const [preamble = '', ...sections] = `\r\n${Buffer.from(body).toString('latin1')}`.split(delimiter);
  const closing = sections.pop() ?? '';
  if (sections.length === 0 || !/^--(?:\s|$)/.test(closing)) return 'malformed';
  const outside = preamble + closing;
  if (outside.includes(delimiter.trim()) || /content-disposition/i.test(outside)) return 'malformed';
  const parts: Part[] = [];
  for (const section of sections) {
    const part = parsePart(section);
    if (typeof part === 'string' || 'charset' in part) return part;
    parts.push(part);
  }
  return parts;
}

const utf8 = (latin1: string) => Buffer.from(latin1, 'latin1').toString('utf8');

function parsePart(section: string): Part | MultipartProblem {
  const start = /^[ \t]*\r\n/.exec(section)?.[0].length;
  const end = section.indexOf('\r\n\r\n');
  if (start === undefined || end === -1) return 'malformed';
  const headers = new Map<string, string>();
  for (const line of section.slice(start, end).split('\r\n')) {
    const [, name, value = ''] = headerPattern.exec(line) ?? [];
    if (name === undefined || headers.has(name.toLowerCase()) || /[\r\n]/.test(line)) return 'malformed';
    headers.set(name.toLowerCase(), value);
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(headers.get('content-type') ?? '')?.[1];
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) return { charset };
  if (!/^(?:7bit|8bit|binary)?$/i.test(headers.get('content-transfer-encoding') ?? '')) return 'encoded';
  const parameters = parseDisposition(headers.get('content-disposition') ?? '');
  const name = parameters?.get('name');
  if (!parameters || !name) return 'malformed';
  const isFile = parameters.has('filename') || parameters.has('filename*');
  return { name: utf8(name), value: utf8(section.slice(end + 4)), isFile };
}

function parseDisposition(value: string): Map<string, string> | null {
  const kind = /^form-data[ \t]*(?=;)/i.exec(value)?.[0];
  if (kind === undefined) return null;
  const parameters = new Map<string, string>();
  parameterPattern.lastIndex = kind.length;
  let end = kind.length;
  for (let match = parameterPattern.exec(value); match; match = parameterPattern.exec(value)) {
    const [, name = '', quoted, plain] = match;
    if (parameters.has(name.toLowerCase())) return null;
    parameters.set(name.toLowerCase(), quoted === undefined ? (plain ?? '') : quoted.replace(/\\(.)/g, '$1'));
    end = parameterPattern.lastIndex;
  }
  return end === value.length ? parameters : null;
}
