import type { Announcement, CompanyFeed } from '#server/feed/company-feed.ts';
import { followCompany } from '#server/feed/newest.ts';
import {
  authenticateSession,
  type Employee,
  keepSignedIn,
  readSessionToken,
  type Remembered as SignedIn,
} from '#server/session.ts';

/** A person whose session was checked, and may be believed as long as their company's `accessNo` stays the same. */
export type Remembered = SignedIn & {
  employee: Employee;
  feed: CompanyFeed;
  /** The company's newest number when the session was last checked: since then this person was active all the time. */
  lastNo: number;
  accessNo: number;
  expiresAt: number;
  usedAt: number;
};

const forgetAfterMs = 90_000;
const mostRemembered = 50_000;
const people = new Map<string, Remembered>();

/**
 * Who asks: the active employee behind a `Cookie` header, or null. Asked of the database at first, and again whenever a
 * session of the company may have ended; in between it is answered from memory, so that an idle poll costs no query.
 */
export async function recallEmployee(cookieHeader: string | null): Promise<Remembered | null> {
  const token = readSessionToken(cookieHeader);
  if (!token) return null;
  const known = people.get(token);
  if (known && known.expiresAt > Date.now() && known.feed.fresh && known.accessNo === known.feed.accessNo) {
    known.usedAt = Date.now();
    known.feed.usedAt = known.usedAt;
    return known;
  }
  people.delete(token);
  const session = await authenticateSession(cookieHeader);
  if (!session?.employee) return null;
  const { account, employee, sessionId, sessionVersion, lastNo, accessNo, expiresAt } = session;
  const feed = followCompany(session, endStreams);
  // Somebody's session ended while this one was looked up: look again.
  if (accessNo < feed.accessNo) return recallEmployee(cookieHeader);
  const remembered = {
    ...{ account, employee, sessionId, sessionVersion, lastNo, accessNo, expiresAt, feed },
    usedAt: Date.now(),
  };
  if (people.size >= mostRemembered) forgetIdle(0);
  people.set(token, remembered);
  return remembered;
}

/** What came after number `after` for this person, from memory, or null when only the database can say. */
export function recallSince({ employee, feed, lastNo }: Remembered, after: number): Announcement[] | null {
  return after < lastNo ? null : feed.since(after, employee);
}

/** Forgets whoever has not asked for a while. */
export function forgetIdle(longerMs = forgetAfterMs): void {
  const before = Date.now() - longerMs;
  for (const [token, person] of people) if (person.usedAt <= before) people.delete(token);
}

const enders = new Map<CompanyFeed, Set<Ender>>();
type Ender = { person: Remembered; end: () => void };

/** Calls `end` when the person's session has ended; returns how to stop watching it. */
export function watchSession(person: Remembered, end: () => void): () => void {
  const watched = enders.get(person.feed) ?? new Set();
  enders.set(person.feed, watched);
  const ender = { person, end };
  watched.add(ender);
  return () => {
    watched.delete(ender);
    if (watched.size === 0) enders.delete(person.feed);
  };
}

async function endStreams(companyId: number, feed: CompanyFeed): Promise<void> {
  const watched = [...(enders.get(feed) ?? [])];
  if (watched.length === 0) return;
  const kept = new Set(
    await keepSignedIn(
      companyId,
      watched.map(({ person }) => person),
    ),
  );
  for (const { person, end } of watched) if (!kept.has(person)) end();
}
