import { setImmediate as nextTurn } from 'node:timers/promises';
import { withDeadline } from '#db/client.ts';
import { isDefect } from '#db/driver/errors.ts';
import { makeBatchQueue } from '#platform/queues.ts';
import { decodeReaderToken, readReaderToken, type SessionClaims } from '#server/accounts/sessions/cookie.ts';
import { authenticateClaims, noteRequests } from '#server/accounts/sign-in/authenticate.ts';
import type { Visitor } from '#server/employees/portal-visits.ts';
import { type Announcement, sessionEnded } from '#server/feed/announcement.ts';
import type { CompanyFeed, FeedSession } from '#server/feed/company-feed.ts';
import { followCompany } from '#server/feed/company-feeds.ts';
import type { Session } from '#server/principals.ts';

/** A session from the database, valid while `accessNo` equals the company's. `endsAt`: `performance.now()`. */
export type CachedSession = FeedSession &
  Visitor &
  Pick<Session, 'isConfirmed' | 'endsSoon'> & { feed: CompanyFeed; endsAt: number; usedAt: number };

const sessionsPerQuery = 1000;
export const maxCachedSessions = 50_000;
const cache = new Map<string, CachedSession>();

// After a restart all portals come at once, so one query reads the sessions of many. It waits some turns of the
// event loop for more of them, unless there is only one. API requests (`lookupQueue`) run in these turns.
const readSession = makeBatchQueue<SessionClaims, Session | null>({
  run: async (claims) => {
    for (let turn = 0; claims.length > 1 && turn < claims.length * 3; turn++) await nextTurn();
    const sessions = await withDeadline(() => authenticateClaims(claims));
    // A failure is harmless: the next read of the session notes it.
    noteRequests(sessions.filter((session) => session !== null)).catch(() => {});
    return sessions;
  },
  isUndone: isDefect,
  runAlone: async (claims) => (await authenticateClaims([claims]))[0] ?? null,
  maxRunning: 1,
  maxSize: 50,
  maxWaitMs: 8000,
});

/**
 * The session of an active employee for a `Cookie` header, or null. Later requests use the cache. When a session of the
 * company may have ended, one query checks all its cached ones.
 */
export async function findSession(cookieHeader: string | null): Promise<CachedSession | null> {
  const read = readReaderToken(cookieHeader);
  if (!read) return null;
  const { token } = read;
  const cached = cache.get(token);
  if (cached && cached.endsAt > performance.now() && cached.feed.isFresh && cached.accessNo === cached.feed.accessNo) {
    cached.usedAt = performance.now();
    cached.feed.usedAt = cached.usedAt;
    return cached;
  }
  cache.delete(token);
  const claims = await decodeReaderToken(read);
  const session = claims && (await readSession(claims));
  if (!claims || !session?.employee) return null;
  const { employee, sessionId, sessionVersion, lastNo, accessNo, isConfirmed, endsSoon } = session;
  const feed = await followCompany(session, checkSessions);
  // A session of the company ended during the query, perhaps this one.
  if (accessNo < feed.accessNo) return findSession(cookieHeader);
  const now = performance.now();
  const entry: CachedSession = {
    ...{ employee, sessionId, sessionVersion, lastNo, accessNo, isConfirmed, endsSoon, feed },
    accountId: session.account.accountId,
    bellId: claims.bellId ?? null,
    bellOrigin: claims.origin ?? null,
    activeFromNo: session.activeFromNo ?? lastNo,
    endsAt: now + session.lastsMs,
    usedAt: now,
    lastVisit: null,
  };
  // A full cache evicts nothing, because sessions in use would be read again at once.
  if (cache.size < maxCachedSessions) cache.set(token, entry);
  return entry;
}

/** What was announced to this employee after number `after`, oldest first; null when only the database can tell. */
export const listCached = ({ employee, feed, activeFromNo }: CachedSession, after: number): Announcement[] | null =>
  after < activeFromNo ? null : feed.listSince(after, employee);

/** Removes sessions that made no request for 90 s. */
export function removeIdleSessions(): void {
  const before = performance.now() - 90_000;
  for (const [token, session] of cache) if (session.usedAt <= before) cache.delete(token);
}

// One query for all sessions of a company, instead of one per session at its next request.
async function checkSessions(feed: CompanyFeed, accessNo: number): Promise<void> {
  const subscribers = [...feed.subscribers];
  const unique = new Set<FeedSession>(subscribers.map(({ session }) => session));
  for (const session of cache.values()) if (session.feed === feed) unique.add(session);
  const sessions = [...unique];
  const valid = new Set<FeedSession>();
  for (let from = 0; from < sessions.length; from += sessionsPerQuery) {
    const batch = sessions.slice(from, from + sessionsPerQuery);
    const claims = batch.map(({ bellId, bellOrigin, ...session }) => ({
      ...session,
      companyId: feed.companyId,
      ...(bellId !== null && bellOrigin !== null && { bellId, origin: bellOrigin }),
    }));
    const newest = await withDeadline(() => authenticateClaims(claims));
    for (const [place, session] of batch.entries())
      if (newest[place]?.employee?.employeeId === session.employee.employeeId) valid.add(session);
  }
  for (const session of valid) session.accessNo = Math.max(session.accessNo, accessNo);
  for (const subscriber of subscribers) if (!valid.has(subscriber.session)) subscriber.end(sessionEnded);
}
