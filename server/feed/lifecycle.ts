import { makeReconciliation } from '#db/reconciliation.ts';
import { flushVisits } from '#server/employees/portal-visits.ts';
import { unfollowAll } from '#server/feed/company-feeds.ts';
import { removeIdleSessions } from '#server/feed/session-cache.ts';
import { endAllStreams } from '#server/feed/stream.ts';

const upkeepMs = 20_000;

let streamsClosed = false;

const upkeep = makeReconciliation(
  upkeepMs,
  () => {
    removeIdleSessions();
    return flushVisits();
  },
  'portal visits could not be written; the next flush tries again',
);

/** Trims the session cache and writes portal visits every 20 s from now on. Idempotent. */
export const startFeed = upkeep.start;

/** Whether this process refuses streams because it stops; portals then connect to another one. */
export const areStreamsClosed = (): boolean => streamsClosed;

/** Ends all streams and refuses new ones. Polls are answered until `stopFeed`. */
export function closeStreams(): void {
  streamsClosed = true;
  endAllStreams();
}

/** Stops the upkeep and the listener, after a last write of portal visits. */
export async function stopFeed(): Promise<void> {
  void upkeep.stop();
  await flushVisits().catch(() => {});
  await unfollowAll();
}
