import { connect } from '#db/driver/connect.ts';
import { readAddress } from '#server/database-url.ts';

/** What is heard on each channel, until `stop`. */
export type Listening = { stop: () => Promise<void> };

/**
 * Keeps one connection that listens on these channels (PostgreSQL's LISTEN). The driver connects again when it breaks; what was
 * announced meanwhile is not repeated, so whoever needs it all must also look (a sweep). `onListening` runs after each
 * connect. Never rejects: a database that cannot be reached is tried again with the next `listen`. Through a pooler nothing is ever
 * heard, and nothing is opened: its sessions change hands with every transaction.
 */
export function listen(
  url: string,
  channels: Record<string, (payload: string) => void>,
  onListening: () => void,
): Listening {
  if (readAddress(url).isPooled) return { stop: async () => {} };
  const sql = connect(url, 1, { whenLost: 'reconnect' });
  for (const [channel, hear] of Object.entries(channels)) sql.listen(channel, hear, onListening).catch(() => {});
  return { stop: () => sql.end({ timeout: 1 }).catch(() => {}) };
}
