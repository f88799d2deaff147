import { readFilter } from '#app/portal/inbox/inbox-filter.ts';
import { privateJson, readNumber } from '#app/responses/private-json.ts';
import { authenticateSession } from '#server/accounts/authenticate.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';

const most = 50;

/** The next notifications of the signed-in employee, older than number `before`, `limit` of them (20), with the page's filters. */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.employee) return privateJson({ ok: false }, 401);
  const url = new URL(request.url);
  const before = readNumber(url, 'before') ?? undefined;
  const limit = Math.min(most, readNumber(url, 'limit') ?? 20);
  const filter = readFilter(Object.fromEntries(url.searchParams));
  const { items, more } = await listInbox(session.employee, { before, filter, limit });
  return privateJson({ items: items.map(asItem), more });
}
