import type { Failure } from '#server/api/failures.ts';
import type { Came } from '#server/api/received-kind.ts';
import type { NotifRequest } from '#server/api/request.ts';
import { isKey } from '#server/keys/keys.ts';

// Space and tab only, as HTTP knows them (RFC 9110 §5.5): `trim` would also take a no-break space off a key.
const trimBlanks = (value: string) => value.replace(/^[ \t]+|[ \t]+$/g, '');
const bearer = /^bearer(?: +(.*))?$/i;

/**
 * The well-formed key a request carries in exactly one of its two headers (contract §3). A value that does not
 * begin with `jss_` is not a key and does not count: a staging gate's Basic, a gateway's token, an empty header. A failure
 * names the key that came in the wrong way, so that its owner can be shown what went wrong.
 */
export function findKey({ header, search }: NotifRequest): { key: string } | (Failure & { misplaced?: string }) {
  const authorization = trimBlanks(header('authorization') ?? '');
  const inBearer = bearer.exec(authorization)?.[1] ?? '';
  const inHeader = trimBlanks(header('x-api-key') ?? '');
  const bare = authorization.startsWith('jss_');
  const claims = [bare ? authorization : inBearer, inHeader].filter((value) => value.startsWith('jss_'));
  const [key] = claims;
  if (key === undefined) return explainMissingKey(authorization, inHeader, search);
  const misplaced = claims.find(isKey);
  if (claims.length > 1) return { code: 'key_in_both_headers', misplaced };
  if (bare) return { code: 'key_without_bearer', misplaced };
  return isKey(key) ? { key } : { code: 'key_malformed', figures: { length: key.length } };
}

const anyKey = /jss_[0-9A-Za-z]{64}/;

// Nothing here lets a key in: it only tells a caller where the key is that was not found where it must be.
function explainMissingKey(authorization: string, inHeader: string, search: string): Failure & { misplaced?: string } {
  const basic = /^basic +([\w+/=-]+)$/i.exec(authorization)?.[1] ?? '';
  const places: [string, Came][] = [
    [inHeader, /^bearer\s/i.test(inHeader) ? 'bearer_beside_key' : 'wrapped'],
    [Buffer.from(basic, 'base64').toString('latin1'), 'basic'],
    [authorization, /^(?!bearer)\w+ +jss_/i.test(authorization) ? 'other_scheme' : 'wrapped'],
  ];
  for (const [text, came] of places) {
    const misplaced = anyKey.exec(text)?.[0];
    if (misplaced !== undefined) return { code: 'key_wrapped', figures: { came }, misplaced: ifKey(misplaced) };
  }
  const inQuery = anyKey.exec(search)?.[0];
  return inQuery === undefined ? { code: 'key_missing' } : { code: 'key_in_query', misplaced: ifKey(inQuery) };
}

const ifKey = (text: string) => (isKey(text) ? text : undefined);
