import type { Failure } from '#server/api/failures.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a body without its byte order mark. Null when it is not valid UTF-8 (contract §6). */
export function decode(body: Uint8Array): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

/** The failure of a body that is not UTF-8: UTF-16, or the position of the first invalid byte. */
export function refuseEncoding(body: Uint8Array): Failure {
  const [first, second] = body;
  // The two byte order marks of UTF-16.
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return { code: 'body_utf16' };
  return { code: 'body_not_utf8', figures: { position: findBrokenByte(body) } };
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

/** Whether a text is UTF-16 that was decoded as UTF-8: it has a NUL beside each letter. */
export const looksLikeUtf16 = (text: string) => /^(?:\0[\x20-\x7f]|[\x20-\x7f]\0){2}/.test(text);
