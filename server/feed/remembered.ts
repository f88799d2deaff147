import { makePatience } from '#db/driver/deadline.ts';
import {
  authenticateSession,
  keepSignedIn,
  readSessionToken,
  type Remembered as SignedIn,
} from '#server/accounts/session.ts';
import type { Visitor } from '#server/employees/portal-visits.ts';
import type { Announcement } from '#server/feed/announcement.ts';
import type { CompanyFeed } from '#server/feed/company-feed.ts';
import { inTurn } from '#server/feed/lookup-queue.ts';
import { followCompany } from '#server/feed/newest.ts';

/** A person whose session was checked, and may be believed as long as their company's `accessNo` stays the same. */
export type Remembered = Omit<SignedIn, 'employee'> &
  Visitor & {
    accountId: number;
    feed: CompanyFeed;
    /** The company's newest number when the session was last checked: since then this person was active all the time. */
    lastNo: number;
    accessNo: number;
    /** When the session ends, by this process's own count of time (`performance.now()`), which no setting of a clock changes. */
    endsAt: number;
    usedAt: number;
  };

const forgetAfterMs = 90_000;
const mostAtOnce = 1000;
/** How many people a process remembers. */
export const mostRemembered = 50_000;
const people = new Map<string, Remembered>();

/**
 * Who asks: the active employee behind a `Cookie` header, or null. Asked of the database at first, and for all of
 * the company at once whenever a session of it may have ended; in between it is answered from memory, so that an idle poll costs no query.
 */
export async function recallEmployee(cookieHeader: string | null): Promise<Remembered | null> {
  const token = readSessionToken(cookieHeader);
  if (!token) return null;
  const known = people.get(token);
  if (known && known.endsAt > performance.now() && known.feed.fresh && known.accessNo === known.feed.accessNo) {
    known.usedAt = performance.now();
    known.feed.usedAt = known.usedAt;
    return known;
  }
  people.delete(token);
  const session = await inTurn(() => authenticateSession(cookieHeader));
  if (!session?.employee) return null;
  const { account, sessionId, sessionVersion, lastNo, accessNo, lastsMs } = session;
  const feed = followCompany(session, checkSessions);
  // Somebody's session ended while this one was looked up: look again.
  if (accessNo < feed.accessNo) return recallEmployee(cookieHeader);
  const remembered: Remembered = {
    ...{ employee: session.employee, accountId: account.accountId, sessionId, sessionVersion },
    ...{ lastNo, accessNo, endsAt: performance.now() + lastsMs, feed, usedAt: performance.now(), noted: null },
  };
  // To forget somebody who still asks would cost as many queries as to remember nobody; who is idle goes every 20 s.
  if (people.size < mostRemembered) people.set(token, remembered);
  return remembered;
}

/** What came after number `after` for this person, from memory, or null when only the database can say. */
export function recallSince({ employee, feed, lastNo }: Remembered, after: number): Announcement[] | null {
  return after < lastNo ? null : feed.since(after, employee);
}

/** Forgets whoever has not asked for 90 s. */
export function forgetIdle(): void {
  const before = performance.now() - forgetAfterMs;
  for (const [token, person] of people) if (person.usedAt <= before) people.delete(token);
}

// One look for everybody of the company, instead of one for each at their next question.
async function checkSessions(companyId: number, feed: CompanyFeed, accessNo: number): Promise<void> {
  const readers = [...feed.readers];
  const everybody = new Set(readers.map(({ person }) => person));
  for (const person of people.values()) if (person.feed === feed) everybody.add(person);
  const kept = new Set<Remembered>();
  const all = [...everybody];
  for (let from = 0; from < all.length; from += mostAtOnce) {
    const some = all.slice(from, from + mostAtOnce);
    for (const person of await makePatience()(() => keepSignedIn(companyId, some))) kept.add(person);
  }
  for (const person of kept) person.accessNo = Math.max(person.accessNo, accessNo);
  for (const reader of readers) if (!kept.has(reader.person)) reader.endSession();
}
