import type { Failure } from '#server/api/failures.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body, or null when it is not valid UTF-8. A byte order mark is skipped; nothing is replaced (contract §6). */
export function decode(body: Uint8Array): string | null {
  try {
    return utf8.decode(body);
  } catch {
    return null;
  }
}

/** The failure of a body that is not UTF-8: UTF-16, or another encoding from about which byte on. */
export function refuseEncoding(body: Uint8Array): Failure {
  // The byte order marks of UTF-16.
  const [first, second] = body;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return { code: 'body_utf16' };
  return { code: 'body_not_utf8', figures: { position: findBrokenByte(body) } };
}

// The longest beginning that is UTF-8 but for a character cut at its end, by halves: a body has 64 KiB at most.
function findBrokenByte(body: Uint8Array): number {
  let [good, bad] = [0, body.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isBeginning(body.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  return bad;
}

function isBeginning(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Whether a text is UTF-16 that was read as UTF-8: without a mark at its beginning it is valid, with a NUL beside each letter. */
export const looksLikeUtf16 = (text: string) => /^(?:\0[\x20-\x7f]|[\x20-\x7f]\0){2}/.test(text);
