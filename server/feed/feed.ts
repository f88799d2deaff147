import { stopFollowing } from '#server/feed/newest.ts';
import { forgetIdle } from '#server/feed/remembered.ts';
import { endAllStreams } from '#server/feed/stream.ts';
import { keepVisits } from '#server/feed/visits.ts';
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

/** Whether the feed was closed: the process is about to end, and portals should ask another one. */
export const isClosed = (): boolean => closed;

/** Ends all streams, writes down who was seen, and stops listening. */
export async function closeFeed(): Promise<void> {
  closed = true;
  clearInterval(timer);
  timer = undefined;
  endAllStreams();
  await keepVisits().catch(() => {});
  await stopFollowing();
}
