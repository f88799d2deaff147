import type { Failure } from '#server/api/failures.ts';
import { listNames, quoted, type ReceivedKind, webhookOfHeaders } from '#server/api/received-kind.ts';
import { isKey } from '#server/keys/keys.ts';

/** The largest body that is read, in bytes (contract §6). */
export const maxBodyBytes = 64 * 1024;

/** The largest body that is parsed before its key is checked, in bytes. */
export const maxShortBodyBytes = 8 * 1024;

export const bodyDeadlineMs = 10_000;

/** How long the rest of a rejected body is read, so that its sender can read the response. */
export const idleKeepAliveMs = 2000;

/** A request of the public interface, independent of the HTTP server that received it. */
export type NotifRequest = {
  method: string;
  /** The query with its `?`, or the empty string. */
  search: string;
  /** The client's IP address, or `unknown`. */
  address: string;
  /** The value of a header by its name in lower case. Repeated headers are joined by `, `. */
  header(name: string): string | null;
  /** Whether the whole body has arrived already and has at most `maxShortBodyBytes`. */
  hasShortBody(): Promise<boolean>;
  /** Reads the whole body. Call it once. */
  readBody(): Promise<ReceivedBody>;
};

/** A whole body, or why not: over `maxBodyBytes`, or incomplete after `bodyDeadlineMs`. */
export type ReceivedBody = Uint8Array | 'too-large' | 'incomplete';

type FoundKey = { key: string } | { failure: Failure; misplacedKey?: string };

// Only space and tab (RFC 9110 §5.5). `trim` would also remove a no-break space.
const trimBlanks = (value: string) => value.replace(/^[ \t]+|[ \t]+$/g, '');
const bearer = /^bearer(?: +(.*))?$/i;

/**
 * Finds the key of a request, in exactly one of its two headers (contract §3). A value without `jss_` is ignored, such
 * as Basic authentication or a gateway's token. A key in another place is only looked up, to show its company the
 * failed request.
 */
export function findKey({ header, search }: NotifRequest): FoundKey {
  const authorization = trimBlanks(header('authorization') ?? '');
  const inBearer = bearer.exec(authorization)?.[1] ?? '';
  const inHeader = trimBlanks(header('x-api-key') ?? '');
  const withoutBearer = authorization.startsWith('jss_');
  const claims = [withoutBearer ? authorization : inBearer, inHeader].filter((value) => value.startsWith('jss_'));
  const [key] = claims;
  if (key === undefined) return explainMissingKey(authorization, inHeader, search, header);
  const misplacedKey = claims.find(isKey);
  if (claims.length > 1) return { failure: { code: 'key_in_both_headers' }, misplacedKey };
  if (withoutBearer) return { failure: { code: 'key_without_bearer' }, misplacedKey };
  return isKey(key) ? { key } : { failure: { code: 'key_malformed', parameters: { length: key.length } } };
}

const anyKey = /jss_[0-9A-Za-z]{64}/;

// Looks for a key in the places where callers put it by mistake.
function explainMissingKey(
  authorization: string,
  inHeader: string,
  search: string,
  header: NotifRequest['header'],
): FoundKey {
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

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/** Reads the optional `Idempotency-Key`: 1 to 255 visible ASCII characters, once (contract §7). */
export function readIdempotencyKey({ header }: NotifRequest): { idempotencyKey: string | null } | Failure {
  const value = header('idempotency-key');
  if (value === null) return { idempotencyKey: null };
  if (visibleAscii.test(value)) return { idempotencyKey: value };
  const strange = value.search(/[^\x21-\x7e]/);
  const parameters = { length: value.length, position: strange === -1 ? undefined : strange + 1 };
  return { code: 'idempotency_key_malformed', parameters };
}
