import { isWellFormed } from '#server/notifications/text-rules.ts';

const controlCharacter = /\p{Cc}/u;
const origin = 'https://portal.invalid';

/**
 * Whether a link stays on the portal's origin in every browser (contract §6). It begins with one
 * `/` and has no backslash and no control character. After WHATWG parsing it has the same origin,
 * and its path does not begin with `//`: `/.//evil` normalises to `//evil`. Links are checked
 * before storing and before showing.
 */
export function isInternalPath(url: string): boolean {
  if (!url.startsWith('/') || url.startsWith('//') || url.includes('\\') || controlCharacter.test(url)) return false;
  if (!isWellFormed(url)) return false;
  const parsed = parse(url);
  return parsed !== null && parsed.origin === origin && !parsed.pathname.startsWith('//');
}

// Pages check links too, and `URL.canParse` is missing in Chrome before 120 and Safari before 17.
function parse(url: string): URL | null {
  try {
    return new URL(url, origin);
  } catch {
    return null;
  }
}
