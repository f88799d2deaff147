import { asItem, type FeedAnswer } from '#app/portal/item.ts';
import { privateJson, readNumber } from '#app/portal/private-json.ts';
import { countUnread, notificationsSince } from '#server/inbox.ts';
import { authenticateSession } from '#server/session.ts';

/** What is new since number `after` for the signed-in employee, `count` asks for the unread count; 401 when the session has ended. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.employee) return privateJson({ ok: false }, 401);
  const url = new URL(request.url);
  const after = readNumber(url, 'after');
  if (after === null) return privateJson({ ok: false }, 400);
  const idle: FeedAnswer = { newest: session.lastNo, items: [], unread: null };
  if (session.lastNo <= after && !url.searchParams.has('count')) return privateJson(idle);
  const items = await notificationsSince(session.employee, after);
  const full = items.length === 50;
  const newest = full ? (items.at(-1)?.no ?? after) : Math.max(session.lastNo, items.at(-1)?.no ?? 0);
  const answer: FeedAnswer = { newest, items: items.map(asItem), unread: await countUnread(session.employee) };
  return privateJson(answer);
}
