import { isDefect } from '#db/driver/errors.ts';
import { logRepeats } from '#platform/log/log.ts';
import { metrics } from '#platform/log/metrics.ts';
import { leanHeaders } from '#platform/net/http-headers.ts';
import { authenticateRinging } from '#server/accounts/sign-in/authenticate.ts';
import { queueVisit, soundStates } from '#server/employees/portal-visits.ts';
import { lookupQueue, maxStreams } from '#server/feed/limits.ts';
import { type CachedSession, findSession, listCached } from '#server/feed/session-cache.ts';
import { accountKey, areStreamsClosed, bellRings, openStream, type Ringer, type Sink } from '#server/feed/stream.ts';
import { catchUpSize, listBack, listChangesSince, listInboxSince } from '#server/inbox/inbox.ts';
import { asItem, type FeedAnswer, type Item } from '#server/inbox/inbox-item.ts';
import { countUnread, type UnreadCount } from '#server/inbox/unread.ts';
import type { Session } from '#server/principals.ts';

export const feedPath = '/portal/feed';
export const streamPath = '/portal/stream';

/** The parts of a portal's request that matter, independent of node:http and Next. */
export type FeedRequest = { search: string; cookie: string | null; lastEventId: string | null };

/** A complete reply. All replies are private and uncacheable. `account` asked, as `accountKey` names it. */
export type FeedReply = { status: number; headers: Record<string, string>; body: string; account?: string };

const replyHeaders = { 'Cache-Control': 'private, no-store', ...leanHeaders };
export const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'private, no-store, no-transform',
  ...leanHeaders,
  // nginx would buffer the stream otherwise.
  'X-Accel-Buffering': 'no',
};

const asJson = (status: number, body: string, headers: Record<string, string> = {}): FeedReply => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=utf-8', ...replyHeaders, ...headers },
  body,
});
const refusals = {
  ended: () => asJson(401, '{"ok":false,"code":"session_ended"}'),
  malformed: () => asJson(400, '{"ok":false,"code":"after_invalid"}'),
  full: () => asJson(503, '{"ok":false,"code":"streams_full"}', { 'Retry-After': '60' }),
  // It polls, so that no stream brings a text.
  unconfirmed: () => asJson(503, '{"ok":false,"code":"unconfirmed"}', { 'Retry-After': '60' }),
  unavailable: () => asJson(503, '{"ok":false,"code":"unavailable"}', { 'Retry-After': '5' }),
};

type FeedQuery = { session: CachedSession; after: number; withCount: boolean; ringer: Ringer; asksToRing: boolean };

/**
 * Reads a query string: `after`, `person` (another one gets 401), `browser` and `sound` (recorded as a visit), `bell`
 * (the sound is on in bells only), `count` (also the unread count), `rings` (only whether this bell rings).
 */
async function readQuery({ search, cookie, lastEventId }: FeedRequest): Promise<FeedQuery | FeedReply> {
  const session = await findSession(cookie);
  if (!session) return refusals.ended();
  const query = new URLSearchParams(search);
  const { companyId, employeeId } = session.employee;
  if ((query.get('person') ?? `${companyId}:${employeeId}`) !== `${companyId}:${employeeId}`) return refusals.ended();
  const numbers = [query.get('after') ?? '', ...(lastEventId ? [lastEventId] : [])];
  if (!numbers.every((text) => /^\d{1,15}$/.test(text))) return refusals.malformed();
  const state = soundStates.find((state) => state === query.get('sound')) ?? null;
  const browserId = asBrowserId(query.get('browser'));
  queueVisit(session, browserId, state);
  const isBell = session.bellOrigin !== null || query.has('bell');
  const ringer = { name: `${session.sessionId}:${browserId}`, isOn: state === 'on', isBell };
  const after = Math.max(...numbers.map(Number));
  return { session, after, ringer, withCount: query.has('count'), asksToRing: query.has('rings') };
}

const asBrowserId = (text: string | null) =>
  text && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : null;

/** Answers a poll: what is new after a number. Costs no query when nothing is new. */
export async function answerFeed(request: FeedRequest): Promise<FeedReply> {
  const reply = await readFeed(request).catch(refuseFailure);
  metrics()?.count('feed_polls', String(reply.status));
  return reply;
}

async function readFeed(request: FeedRequest): Promise<FeedReply> {
  const query = await readQuery(request);
  if ('status' in query) return query;
  return { ...(await answerQuery(query, request)), account: accountKey(query.session) };
}

async function answerQuery(query: FeedQuery, request: FeedRequest): Promise<FeedReply> {
  if (query.asksToRing)
    return asJson(200, JSON.stringify({ rings: await bellRings(query.session, query.ringer.name) }));
  const { isConfirmed } = query.session;
  const listed = query.withCount ? null : listCached(query.session, query.after);
  const cached = isConfirmed || listed?.length === 0 ? listed : null;
  // Of the moment of `cached`: what arrives while the session is read is in the next answer.
  const newest = Math.max(query.after, query.session.feed.lastNo);
  // The cache may lag by a moment. Who gets something needs a session that is valid now.
  const readSession = () => authenticateRinging(request.cookie);
  const answerFromDatabase = async () => {
    const current = await readSession();
    if (!current?.employee) return refusals.ended();
    const answer = await readDatabase(query, current);
    const state = current.endsSoon && { endsSoon: true };
    return asJson(200, JSON.stringify({ ...(current.isConfirmed ? answer : withTitlesOnly(answer)), ...state }));
  };
  if (!cached) return lookupQueue(answerFromDatabase);
  const current = cached.length > 0 ? await lookupQueue(readSession) : query.session;
  if (!current?.employee) return refusals.ended();
  if (current.isConfirmed !== isConfirmed) return lookupQueue(answerFromDatabase);
  const items = cached.flatMap(({ json }) => json || []).join();
  const withdrawn = cached.flatMap((announcement) => announcement.withdrawn ?? []).join();
  const corrected = cached.flatMap((announcement) => announcement.corrected ?? []).join();
  const numbers = `"withdrawn":[${withdrawn}],"corrected":[${corrected}]`;
  const missedUpTo = Math.max(newest, current.lastNo);
  const state = `${isConfirmed ? '' : ',"titlesOnly":true'}${current.endsSoon ? ',"endsSoon":true' : ''}`;
  return asJson(
    200,
    `{"newest":${newest},"missedUpTo":${missedUpTo},"items":[${items}],${numbers},"unread":null${state}}`,
  );
}

// What is shown of a session that its provider has not confirmed.
function withTitlesOnly({ items, back = [], ...answer }: FeedAnswer): FeedAnswer {
  const withoutText = { body: '', href: null, refusedUrl: null, picture: null };
  const titleOf = (item: Item): Item => ({ ...item, ...withoutText, answers: item.answers && [] });
  return { ...answer, items: items.map(titleOf), back: back.map(titleOf), titlesOnly: true };
}

async function readDatabase({ session, after, withCount }: FeedQuery, { lastNo }: Session): Promise<FeedAnswer> {
  const complete = Math.max(session.feed.lastNo, lastNo);
  const items = await listInboxSince(session.employee, after);
  // After the items, not with them: `newest` may only cover changes that this query could see.
  const changes = await listChangesSince(session.employee, after);
  const last = items.at(-1)?.no ?? 0;
  const newest = items.length === catchUpSize ? last : Math.max(after, complete, last);
  const unread: UnreadCount | null = withCount ? await countUnread(session.employee) : null;
  const back = unread?.backAt ? await listBack(session.employee) : [];
  const missedUpTo = Math.max(newest, complete);
  return { newest, missedUpTo, items: items.map(asItem), ...changes, unread, back: back.map(asItem) };
}

/** Opens a stream of what is new. `openSink` gets the headers once it is accepted; otherwise returns the refusal. */
export async function answerStream(
  request: FeedRequest,
  openSink: (headers: Record<string, string>) => Sink,
  isAborted: () => boolean = () => false,
): Promise<FeedReply | 'streaming'> {
  try {
    if (areStreamsClosed()) return refusals.unavailable();
    const query = await readQuery(request);
    if ('status' in query) return query;
    // Both may have changed while the session was read.
    if (areStreamsClosed() || isAborted()) return refusals.unavailable();
    const { session, after, ringer } = query;
    if (!session.isConfirmed) return refusals.unconfirmed();
    if (openStream(session, ringer, after, () => openSink(streamHeaders))) return 'streaming';
    const details = { maxStreams: maxStreams() };
    logRepeats('warn', {}, details, 'the limit of open streams is reached; further portals poll every 10 s');
    metrics()?.count('streams_refused');
    return refusals.full();
  } catch (error) {
    return refuseFailure(error);
  }
}

function refuseFailure(error: unknown): FeedReply {
  if (!isDefect(error)) return refusals.unavailable();
  logRepeats('error', {}, { err: error }, 'a poll or stream failed because of a defect');
  return asJson(500, '{"ok":false,"code":"internal_error"}');
}
