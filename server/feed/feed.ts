import { keepVisits } from '#server/employees/portal-visits.ts';
import { stopFollowing } from '#server/feed/newest.ts';
import { forgetIdle } from '#server/feed/remembered.ts';
import { endAllStreams } from '#server/feed/stream.ts';
import { log } from '#server/log.ts';

const keepVisitsMs = 20_000;

/** Keeps the feed's memory in order and writes down who was seen, every 20 s until `closeFeed`. Idempotent. */
export function openFeed(): void {
  timer ??= setInterval(() => {
    forgetIdle();
    keepVisits().catch((error: unknown) => log().warn({ err: error }, 'visits could not be written'));
  }, keepVisitsMs).unref();
}

let timer: NodeJS.Timeout | undefined;
let closed = false;

/** Whether this process takes no more streams because it is about to end; portals should hold theirs to another one. */
export const isClosed = (): boolean => closed;

/** Ends all streams, and takes no more; polls are answered until `closeFeed`. */
export function leaveFeed(): void {
  closed = true;
  endAllStreams();
}

/** Writes down who was seen, and stops listening. */
export async function closeFeed(): Promise<void> {
  clearInterval(timer);
  timer = undefined;
  await keepVisits().catch(() => {});
  await stopFollowing();
}
