import { sql } from '#db/client.ts';
import { makePatience } from '#db/driver/deadline.ts';
import { type Listening, listen } from '#db/listen.ts';
import { directDatabaseUrl } from '#server/env.ts';
import { CompanyFeed } from '#server/feed/company-feed.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';
import type { Session } from '#server/principals.ts';

const sweepMs = 2000;
const forgetAfterMs = 90_000;

type OnAccessChange = (companyId: number, feed: CompanyFeed, accessNo: number) => Promise<void>;
type Watch = { listening: Listening; timer: NodeJS.Timeout; heardAt: number; missedAt: number | null };

const feeds = new Map<number, CompanyFeed>();
let watch: Watch | undefined;
let lookedAt = 0;

/** How long ago, in seconds, it was last looked for missed notifications; 0 while nobody needs that. */
export const secondsSinceLook = (): number =>
  watch && feeds.size > 0 ? Math.max(0, performance.now() - lookedAt) / 1000 : 0;

/** The feed of a person's company, from now on kept up to date by LISTEN and, every 2 s, by a look at the numbers. */
export function followCompany({ account, lastNo, accessNo }: Session, onAccessChange: OnAccessChange): CompanyFeed {
  watch ??= startWatch();
  const { companyId } = account;
  let feed = feeds.get(companyId);
  if (!feed) {
    feed = new CompanyFeed({ companyId, lastNo, accessNo }, (changed, accessNo) =>
      onAccessChange(companyId, changed, accessNo),
    );
    feeds.set(companyId, feed);
  } else if (feed.compare({ lastNo, accessNo })) fetchNews(feed);
  feed.usedAt = performance.now();
  return feed;
}

/** Stops listening and looking. */
export async function stopFollowing(): Promise<void> {
  clearInterval(watch?.timer);
  const stopped = watch?.listening.stop();
  watch = undefined;
  feeds.clear();
  await stopped;
}

function startWatch(): Watch {
  lookedAt = performance.now();
  const timer = setInterval(() => {
    sweep().catch((error: unknown) => log().warn({ err: error }, 'the sweep for missed notifications failed'));
  }, sweepMs);
  timer.unref();
  return { listening: startListening(), timer, heardAt: 0, missedAt: null };
}

function startListening(): Listening {
  const heard = (companyId: number) => {
    if (watch) watch.heardAt = performance.now();
    const feed = feeds.get(companyId);
    if (feed) fetchNews(feed);
  };
  const catchUpAll = () => {
    for (const feed of feeds.values()) fetchNews(feed);
  };
  return listen(
    directDatabaseUrl(),
    {
      notifications: (payload) => heard((JSON.parse(payload) as [number])[0]),
      access: (payload) => heard(Number(payload)),
    },
    catchUpAll,
  );
}

function fetchNews(feed: CompanyFeed): void {
  feed.catchUp().catch((error: unknown) => log().warn({ err: error }, 'news could not be fetched'));
}

// NOTIFY has no replay and poolers break it: this finds what was missed, and notices when the listener is deaf.
async function sweep(): Promise<void> {
  for (const [companyId, feed] of feeds)
    if (feed.readers.size === 0 && performance.now() - feed.usedAt > forgetAfterMs) feeds.delete(companyId);
  if (feeds.size === 0) {
    lookedAt = performance.now();
    return;
  }
  const ids = [...feeds.keys()];
  const rows = await makePatience()(
    () => sql()<{ id: number; lastNo: number; accessNo: number }[]>`
      select id, last_no as "lastNo", access_no as "accessNo" from companies where id = any(${ids}::int[])`,
  );
  const missed = rows.flatMap(({ id, ...numbers }) => {
    const feed = feeds.get(id);
    return feed?.compare(numbers) ? [feed] : [];
  });
  lookedAt = performance.now();
  meters()?.count('looks', missed.length > 0 ? 'missed' : 'nothing');
  for (const feed of missed) fetchNews(feed);
  if (watch) renewDeafListener(watch, missed.length > 0);
}

function renewDeafListener(current: Watch, missed: boolean): void {
  const suspectedAt = current.missedAt;
  current.missedAt = missed ? (suspectedAt ?? performance.now()) : null;
  // A wake-up may just be on its way; one that is still missing at the next look is not.
  if (suspectedAt === null || current.heardAt >= suspectedAt || performance.now() - suspectedAt < sweepMs / 2) return;
  current.missedAt = null;
  meters()?.count('listener_renewals');
  void current.listening.stop();
  current.listening = startListening();
}
