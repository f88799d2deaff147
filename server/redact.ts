const secret = /jss_\w+/g;
const unseen = /[\p{Cc}\p{Bidi_Control}]+/gu;

/**
 * What a caller says, in a form that may be kept and shown: at most `most` characters (UTF-16 units), without control characters and
 * marks of direction, well-formed, and with every key in it blotted out. One NUL would make a whole batch unwritable.
 */
export function excerptOf(text: string, most: number): string {
  const plain = text
    .slice(0, 20 * most)
    .replace(unseen, ' ')
    .replace(secret, 'jss_…');
  return (plain.length > most ? `${plain.slice(0, most - 1)}…` : plain).toWellFormed();
}
