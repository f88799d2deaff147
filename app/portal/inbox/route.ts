import { readInboxFilter } from '#app/portal/inbox/inbox-query.ts';
import { privateJson } from '#app/responses/private-json.ts';
import { NumberText, readQuery } from '#app/ui/lists/list-query.ts';
import { authenticateSession } from '#server/accounts/authenticate.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';

const defaultLimit = 20;
const maxLimit = 50;
const pageQuery = { before: NumberText, limit: NumberText };

/**
 * Returns notifications of the signed-in employee as JSON: those older than the number `before`,
 * `limit` of them (20, at most 50), with the filters of the notifications page.
 */
export async function GET(request: Request): Promise<Response> {
  const session = await authenticateSession(request.headers.get('cookie'));
  if (!session?.employee) return privateJson({ ok: false }, 401);
  const { searchParams } = new URL(request.url);
  const { before, limit = defaultLimit } = readQuery(pageQuery, searchParams);
  const filter = readInboxFilter(searchParams);
  const { items, more } = await listInbox(session.employee, { before, filter, limit: Math.min(maxLimit, limit) });
  return privateJson({ items: items.map(asItem), more });
}
