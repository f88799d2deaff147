import { connect } from '#db/driver/connect.ts';
import { parseDatabaseUrl } from '#platform/config/database-url.ts';

export type Listening = { stop: () => Promise<void> };

/**
 * Opens one connection that listens on these channels (PostgreSQL's LISTEN) and calls the handler
 * of a channel for each message. The driver reconnects after a loss. Messages of that time are not
 * repeated, so a reconciliation must find the changes. `onListening` runs after each connect. Never
 * rejects: an unreachable database is tried again with the next `listen`. Opens nothing through a
 * pooler, which gives each transaction another session and delivers no messages.
 */
export function listen(
  url: string,
  channels: Record<string, (payload: string) => void>,
  onListening: () => void,
): Listening {
  if (parseDatabaseUrl(url).isPooled) return { stop: async () => {} };
  const sql = connect(url, 1, { whenLost: 'reconnect' });
  for (const [channel, handle] of Object.entries(channels)) sql.listen(channel, handle, onListening).catch(() => {});
  return { stop: () => sql.end({ timeout: 1 }).catch(() => {}) };
}
