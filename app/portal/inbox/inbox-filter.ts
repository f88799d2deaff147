import type { InboxFilter } from '#server/inbox/inbox.ts';
import { kinds } from '#server/notifications/kinds.ts';

const longestSearch = 120;

/** The filter that an address asks for; what is not understood is left out. */
export function readFilter(query: Record<string, string | string[] | undefined>): InboxFilter {
  const words = typeof query.search === 'string' ? [...query.search.trim()].slice(0, longestSearch).join('') : '';
  return {
    unread: query.filter === 'unread' || undefined,
    kind: kinds.find((kind) => kind === query.kind),
    search: words.isWellFormed() && !words.includes('\0') && words !== '' ? words : undefined,
  };
}

/** The query string of a filter, without its question mark. */
export function asQuery({ unread, kind, search }: InboxFilter): string {
  const query = new URLSearchParams();
  if (unread) query.set('filter', 'unread');
  if (kind) query.set('kind', kind);
  if (search) query.set('search', search);
  return query.toString();
}

/** The address of the notifications page with a filter. */
export function addressOf(filter: InboxFilter): string {
  const query = asQuery(filter);
  return `/portal/notifications${query ? `?${query}` : ''}`;
}
