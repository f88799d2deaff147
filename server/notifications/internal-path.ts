const controlCharacter = /\p{Cc}/u;
const origin = 'https://portal.invalid';

/**
 * Whether a link stays on the portal's own origin in every browser: one leading `/`, no backslash, no control
 * character, and after WHATWG parsing still the same origin with a path that does not begin with `//`
 * (contract §6; `/.//evil` normalises to `//evil`). Length is not checked. Used before storing and before showing.
 */
export function isInternalPath(url: string): boolean {
  if (!url.startsWith('/') || url.startsWith('//') || url.includes('\\') || controlCharacter.test(url)) return false;
  if (!url.isWellFormed() || !URL.canParse(url, origin)) return false;
  const parsed = new URL(url, origin);
  return parsed.origin === origin && !parsed.pathname.startsWith('//');
}
