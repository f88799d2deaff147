import type { Failure } from '#server/api/failures.ts';
import { webhookOfHeaders } from '#server/api/fixed-webhooks.ts';
import type { ReceivedKind } from '#server/api/received-kind.ts';
import type { NotifRequest } from '#server/api/request.ts';
import { isKey } from '#server/keys/keys.ts';

/** The well-formed key of a request, or why there is none and a key that came in a wrong way. */
export type FoundKey = { key: string } | { failure: Failure; misplacedKey?: string };

// Only space and tab (RFC 9110 §5.5). `trim` would also remove a no-break space.
const trimBlanks = (value: string) => value.replace(/^[ \t]+|[ \t]+$/g, '');
const bearer = /^bearer(?: +(.*))?$/i;

/**
 * Finds the key of a request, which must stand in exactly one of its two headers (contract §3). A
 * value that does not begin with `jss_` is ignored: Basic of a staging gate, the token of a gateway,
 * an empty header. A misplaced key is never accepted; it only tells its owner what went wrong.
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
  return isKey(key) ? { key } : { failure: { code: 'key_malformed', figures: { length: key.length } } };
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
  for (const [text, came] of places) {
    const misplaced = anyKey.exec(text)?.[0];
    if (misplaced !== undefined)
      return { failure: { code: 'key_wrapped', figures: { came } }, misplacedKey: onlyKey(misplaced) };
  }
  const inQuery = anyKey.exec(search)?.[0];
  if (inQuery === undefined)
    return { failure: { code: 'key_missing', figures: { webhook: webhookOfHeaders(header) } } };
  return { failure: { code: 'key_in_query' }, misplacedKey: onlyKey(inQuery) };
}

const onlyKey = (text: string) => (isKey(text) ? text : undefined);
