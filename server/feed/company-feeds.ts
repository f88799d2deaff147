import { db, isAnyOf, withDeadline } from '#db/client.ts';
import { companies } from '#db/schema/tables.ts';
import { handleWakeUp, type Listening, listen, onWakeUp, readWakeUps, type WakeUp } from '#db/wake-ups.ts';
import { directDatabaseUrl } from '#platform/config/database.ts';
import { warnOf } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { CompanyFeed, maxCached, type OnAccessChange } from '#server/feed/company-feed.ts';
import type { Session } from '#server/principals.ts';

/** Of this process. `missedAt` is when a reconciliation found updates without a NOTIFY. */
type Watch = {
  listening: Listening;
  timer: NodeJS.Timeout;
  heardAt: number;
  missedAt: number | null;
  ignoreWakeUps: () => void;
};

const feeds = new Map<number, CompanyFeed>();
let watch: Watch | undefined;
let reconciledAt = 0;

/** Seconds since the last reconciliation; 0 while no portal needs one. */
export const secondsSinceReconciliation = (): number =>
  watch && feeds.size > 0 ? Math.max(0, performance.now() - reconciledAt) / 1000 : 0;

/**
 * The feed of a session's company, kept current by LISTEN and a reconciliation every 2 s. It begins with the last
 * notifications: all who reconnect after a restart find them in memory. `onAccessChange`: sessions may have ended.
 */
export async function followCompany({ account, lastNo, accessNo }: Session, onAccessChange: OnAccessChange) {
  watch ??= startWatch();
  const { companyId } = account;
  let feed = feeds.get(companyId);
  if (!feed) {
    feed = new CompanyFeed(companyId, { lastNo: Math.max(0, lastNo - maxCached), accessNo }, onAccessChange);
    feeds.set(companyId, feed);
    feed.begun = feed.update().catch(() => {});
  } else if (feed.recordCheck({ lastNo, accessNo })) startUpdate(feed);
  feed.usedAt = performance.now();
  await feed.begun;
  return feed;
}

/** Stops the listener and the reconciliation, and drops all feeds. */
export async function unfollowAll(): Promise<void> {
  clearInterval(watch?.timer);
  watch?.ignoreWakeUps();
  const stopped = watch?.listening.stop();
  watch = undefined;
  feeds.clear();
  await stopped;
}

function startWatch(): Watch {
  reconciledAt = performance.now();
  const failure = 'the reconciliation of missed notifications failed; the next one runs in 2 s';
  const timer = setInterval(() => reconcile().catch(warnOf(failure)), 2000).unref();
  return { listening: startListening(), timer, heardAt: 0, missedAt: null, ignoreWakeUps: onWakeUp(wakeFeed) };
}

function startListening(): Listening {
  const hear = (wakeUps: WakeUp[]) => {
    if (watch) watch.heardAt = performance.now();
    wakeUps.forEach(handleWakeUp);
  };
  const updateAll = () => {
    for (const feed of feeds.values()) startUpdate(feed);
  };
  const channels = {
    notifications: (payload: string) => hear(readWakeUps(payload)),
    access: (payload: string) => hear([Number(payload)]),
  };
  return listen(directDatabaseUrl(), channels, updateAll);
}

function wakeFeed(wakeUp: WakeUp): void {
  const feed = feeds.get(typeof wakeUp === 'number' ? wakeUp : wakeUp.companyId);
  if (!feed) return;
  if (typeof wakeUp === 'number') startUpdate(feed);
  else if ('text' in wakeUp) feed.deliverMoved(wakeUp);
}

function startUpdate(feed: CompanyFeed): void {
  feed.update().catch(warnOf('new notifications could not be read; the next reconciliation tries again'));
}

// NOTIFY has no replay, and poolers do not pass it on. This finds what was missed, and a dead listener.
async function reconcile(): Promise<void> {
  for (const [companyId, feed] of feeds)
    if (feed.subscribers.size === 0 && performance.now() - feed.usedAt > 90_000) feeds.delete(companyId);
  if (feeds.size === 0) {
    reconciledAt = performance.now();
    return;
  }
  const ids = [...feeds.keys()];
  let hasMissed = false;
  const { id, lastNo, accessNo } = companies;
  const rows = await withDeadline(async () =>
    db().select({ id, lastNo, accessNo }).from(companies).where(isAnyOf(id, ids)),
  );
  for (const { id, ...counters } of rows) {
    const feed = feeds.get(id);
    if (!feed?.recordCheck(counters)) continue;
    hasMissed = true;
    startUpdate(feed);
  }
  reconciledAt = performance.now();
  metrics()?.count('feed_sweeps', hasMissed ? 'missed' : 'nothing');
  if (watch) renewDeadListener(watch, hasMissed);
}

function renewDeadListener(current: Watch, foundUpdates: boolean): void {
  const suspectedAt = current.missedAt;
  current.missedAt = foundUpdates ? (suspectedAt ?? performance.now()) : null;
  // One missed NOTIFY may still be on its way. At the next reconciliation it is late.
  if (suspectedAt === null || current.heardAt >= suspectedAt || performance.now() - suspectedAt < 1000) return;
  current.missedAt = null;
  metrics()?.count('listener_renewals');
  void current.listening.stop();
  current.listening = startListening();
}
