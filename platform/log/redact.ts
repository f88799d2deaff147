const secret = /jss_\w+/g;
const unseen = /[\p{Cc}\p{Bidi_Control}]+/gu;

/**
 * Makes a caller's text safe to store and show: at most `maxLength` UTF-16 units, well-formed,
 * without control characters and bidirectional marks, and with API keys replaced. PostgreSQL
 * rejects a NUL, and with it the whole batch.
 */
export function excerptOf(text: string, maxLength: number): string {
  const plain = text
    .slice(0, 20 * maxLength)
    .replace(unseen, ' ')
    .replace(secret, 'jss_…');
  return (plain.length > maxLength ? `${plain.slice(0, maxLength - 1)}…` : plain).toWellFormed();
}
