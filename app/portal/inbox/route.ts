import { asItem } from '#app/portal/item.ts';
import { privateJson, readNumber } from '#app/portal/private-json.ts';
import { listInbox } from '#server/inbox.ts';
import { authenticateSession } from '#server/session.ts';

/** The next page of the signed-in employee's notifications, older than number `before`. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.employee) return privateJson({ ok: false }, 401);
  const url = new URL(request.url);
  const before = readNumber(url, 'before') ?? undefined;
  const filter = url.searchParams.get('filter') === 'unread' ? 'unread' : 'all';
  const { items, more } = await listInbox(session.employee, { before, filter });
  return privateJson({ items: items.map(asItem), more });
}
