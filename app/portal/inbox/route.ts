import { readInboxCursor, readInboxFilter } from '#app/portal/inbox/inbox-query.ts';
import { privateJson } from '#app/responses/responses.ts';
import { authenticateReader } from '#server/accounts/sign-in/authenticate.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';

const defaultLimit = 20;
const maxLimit = 50;

/** Returns `limit` notifications before a number, filtered as on their page. `part=read` continues `order=unread`. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateReader(request.headers.get('cookie'));
  if (!session?.employee) return privateJson({ ok: false }, 401);
  const { searchParams } = new URL(request.url);
  const { limit = defaultLimit, ...cursor } = readInboxCursor(searchParams);
  const filter = readInboxFilter(searchParams);
  const unreadFirst = searchParams.get('order') === 'unread';
  const page = { ...cursor, filter, unreadFirst, limit: Math.min(maxLimit, limit) };
  const { items, more, next } = await listInbox(session.employee, page);
  return privateJson({ items: items.map(asItem), more, next });
}
