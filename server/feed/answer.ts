import { isDatabaseGone } from '#db/client.ts';
import { authenticateSession } from '#server/accounts/session.ts';
import { noteVisit, soundStates } from '#server/employees/portal-visits.ts';
import { isClosed } from '#server/feed/feed.ts';
import { inTurn } from '#server/feed/lookup-queue.ts';
import { type Remembered, recallEmployee, recallSince } from '#server/feed/remembered.ts';
import { openStream, type Sink } from '#server/feed/stream.ts';
import { leanHeaders } from '#server/http-headers.ts';
import { notificationsSince, withdrawnSince } from '#server/inbox/inbox.ts';
import { asItem, type FeedAnswer, type UnreadCount } from '#server/inbox/inbox-item.ts';
import { countUnread } from '#server/inbox/unread.ts';
import { log } from '#server/log.ts';
import { meters } from '#server/meters.ts';

/** Where portals ask for what is new. */
export const feedPath = '/portal/feed';
/** Where portals hold their stream open. */
export const streamPath = '/portal/stream';

/** What a portal's request says, for the front and for Next alike. */
export type FeedRequest = { search: string; cookie: string | null; lastEventId: string | null };

/** A complete answer; every one of them is private and kept by no cache. */
export type FeedReply = { status: number; headers: Record<string, string>; body: string };

const privately = { 'Cache-Control': 'private, no-store', ...leanHeaders };
const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store, no-transform',
  ...leanHeaders,
  // nginx would collect the stream otherwise.
  'X-Accel-Buffering': 'no',
};

const asJson = (status: number, body: string, headers: Record<string, string> = {}): FeedReply => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...privately, ...headers },
  body,
});
const refusals = {
  ended: () => asJson(401, '{"ok":false,"code":"session_ended"}'),
  malformed: () => asJson(400, '{"ok":false,"code":"after_invalid"}'),
  full: () => asJson(503, '{"ok":false,"code":"streams_full"}', { 'Retry-After': '60' }),
  unavailable: () => asJson(503, '{"ok":false,"code":"unavailable"}', { 'Retry-After': '5' }),
};

type Asked = { person: Remembered; after: number; withCount: boolean };

/**
 * Reads a portal's question: `after` (a number), `person` (whom the page belongs to: another one who signed in since gets
 * nothing on it), `browser` and `sound` (for the owner's list), `count` (the unread count is wanted too).
 */
async function readRequest({ search, cookie, lastEventId }: FeedRequest): Promise<Asked | FeedReply> {
  const person = await recallEmployee(cookie);
  if (!person) return refusals.ended();
  const query = new URLSearchParams(search);
  const { companyId, employeeId } = person.employee;
  if ((query.get('person') ?? `${companyId}:${employeeId}`) !== `${companyId}:${employeeId}`) return refusals.ended();
  const numbers = [query.get('after') ?? '', ...(lastEventId ? [lastEventId] : [])];
  if (!numbers.every((text) => /^\d{1,15}$/.test(text))) return refusals.malformed();
  const sound = soundStates.find((state) => state === query.get('sound')) ?? null;
  noteVisit(person, asBrowserId(query.get('browser')), sound);
  return { person, after: Math.max(...numbers.map(Number)), withCount: query.has('count') };
}

const asBrowserId = (text: string | null) =>
  text && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : null;

/** What is new after a number, without a query when nothing is: the poll that every portal falls back to. */
export async function answerFeed(request: FeedRequest): Promise<FeedReply> {
  const reply = await readFeed(request);
  meters()?.count('feed_polls', String(reply.status));
  return reply;
}

async function readFeed(request: FeedRequest): Promise<FeedReply> {
  try {
    const asked = await readRequest(request);
    if ('status' in asked) return asked;
    const known = asked.withCount ? null : recallSince(asked.person, asked.after);
    if (known) {
      const newest = Math.max(asked.after, asked.person.feed.lastNo);
      const items = known.flatMap(({ withdrawn, json }) => (withdrawn ? [] : json)).join();
      const withdrawn = known.flatMap((one) => one.withdrawn ?? []).join();
      return asJson(200, `{"newest":${newest},"items":[${items}],"withdrawn":[${withdrawn}],"unread":null}`);
    }
    // Memory may be behind by a moment: what is read from the database is read for a session that holds now.
    return await inTurn(async () => {
      if (!(await authenticateSession(request.cookie))?.employee) return refusals.ended();
      return asJson(200, JSON.stringify(await readNews(asked)));
    });
  } catch (error) {
    return explain(error);
  }
}

async function readNews({ person, after, withCount }: Asked): Promise<FeedAnswer> {
  const complete = Math.max(person.feed.lastNo, person.lastNo);
  const items = await notificationsSince(person.employee, after);
  const withdrawn = await withdrawnSince(person.employee, after);
  const last = items.at(-1)?.no ?? 0;
  const newest = items.length === 50 ? last : Math.max(after, complete, last);
  const unread: UnreadCount | null = withCount ? await countUnread(person.employee) : null;
  return { newest, items: items.map(asItem), withdrawn, unread };
}

/**
 * Opens a stream of what is new after a number, or of `Last-Event-ID` when that is later. `begin` is called with the
 * headers once it is clear that there will be one; otherwise, or when `isGone` says that nobody waits any more, the refusal is returned.
 */
export async function answerStream(
  request: FeedRequest,
  begin: (headers: Record<string, string>) => Sink,
  isGone: () => boolean = () => false,
): Promise<FeedReply | 'streaming'> {
  try {
    if (isClosed()) return refusals.unavailable();
    const asked = await readRequest(request);
    if ('status' in asked) return asked;
    // Both may have changed while the session was looked up.
    if (isClosed() || isGone()) return refusals.unavailable();
    const opened = openStream(asked.person, asked.after, () => begin(streamHeaders));
    return opened === 'full' ? refusals.full() : 'streaming';
  } catch (error) {
    return explain(error);
  }
}

function explain(error: unknown): FeedReply {
  if (!isDatabaseGone(error)) log().error({ err: error }, 'a portal could not be answered');
  return refusals.unavailable();
}
