import { z } from 'zod';
import { asSender } from '#app/portal/inbox/inbox-address.ts';
import { NumberText, readQuery, type SearchParams, SearchText } from '#app/ui/lists/list-query.ts';
import type { InboxCursor, InboxFilter } from '#server/inbox/inbox.ts';
import { kinds } from '#server/notifications/kinds.ts';

const inboxQuery = {
  filter: z.enum(['unread', 'confirm', 'archive', 'snoozed']),
  kind: z.enum(kinds),
  sender: z.string(),
  search: SearchText,
};

/** Reads the filter of the notifications page from its address. Leaves out what is not valid. */
export function readInboxFilter(query: SearchParams | URLSearchParams): InboxFilter {
  const { filter, kind, sender, search } = readQuery(inboxQuery, query);
  return {
    unread: filter === 'unread' || undefined,
    toConfirm: filter === 'confirm' || undefined,
    place: filter === 'archive' || filter === 'snoozed' ? filter : undefined,
    kind,
    sender: asSender(sender ?? ''),
    search,
  };
}

const cursorQuery = { before: NumberText, part: z.enum(['read']), limit: NumberText };

export const readInboxCursor = (query: URLSearchParams): InboxCursor & { limit?: number } =>
  readQuery(cursorQuery, query);
