import type { FeedAnswer } from '#app/portal/item.ts';

// A hidden page's own timers run once a minute; a dedicated worker's are not slowed down.

/** What the page tells the worker: where to begin, to look at once, or to bring the unread count too. */
export type ToWorker = { type: 'start'; after: number } | { type: 'now' } | { type: 'count' };

/** What the worker tells the page: an answer of the feed, a failure to reach it, or that the session has ended. */
export type FromWorker =
  | { type: 'answer'; answer: FeedAnswer; askedAt: number }
  | { type: 'failed' }
  | { type: 'ended' };

const intervalMs = 10_000;
const jitterMs = 1000;

const scope = self as unknown as { postMessage(message: FromWorker): void; onmessage: unknown };
let after = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let asking = false;
let countWanted = false;

async function ask(): Promise<void> {
  if (asking) return;
  asking = true;
  clearTimeout(timer);
  const more = await askOnce().catch(() => {
    scope.postMessage({ type: 'failed' });
    return false;
  });
  asking = false;
  if (more === 'ended') return;
  timer = setTimeout(() => void ask(), more || countWanted ? 0 : intervalMs + (Math.random() * 2 - 1) * jitterMs);
}

async function askOnce(): Promise<boolean | 'ended'> {
  const askedAt = Date.now();
  const count = countWanted ? '&count=1' : '';
  countWanted = false;
  const response = await fetch(`/portal/feed?after=${after}${count}`, {
    cache: 'no-store',
    signal: AbortSignal.timeout(8000),
  });
  if (response.status === 401) {
    scope.postMessage({ type: 'ended' });
    return 'ended';
  }
  if (!response.ok) throw new Error(String(response.status));
  const answer = (await response.json()) as FeedAnswer;
  const more = answer.items.length > 0 && answer.newest > after && answer.items.length === 50;
  after = Math.max(after, answer.newest);
  scope.postMessage({ type: 'answer', answer, askedAt });
  return more;
}

scope.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start') after = data.after;
  if (data.type === 'count') countWanted = true;
  void ask();
};
