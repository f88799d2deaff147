const maxDepth = 12;
const codeOf = (character: string) => character.charCodeAt(0);
const [quote, backslash, comma] = [codeOf('"'), codeOf('\\'), codeOf(',')];
const [openList, closeList, openObject, closeObject] = [codeOf('['), codeOf(']'), codeOf('{'), codeOf('}')];

/**
 * Whether a JSON text is cheap to decode: at most `maxValues` commas and opening brackets outside
 * strings, and at most 12 brackets open at once. It reads each byte once and does not check the
 * syntax.
 */
export function isCheapJson(text: Buffer, maxValues: number): boolean {
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === quote) inString = !inString;
    else if (inString) at += byte === backslash ? 1 : 0;
    else if (byte === comma) values++;
    else if (byte === openList || byte === openObject) {
      values++;
      if (++depth > maxDepth) return false;
    } else if (byte === closeList || byte === closeObject) depth--;
    if (values > maxValues) return false;
  }
  return true;
}
