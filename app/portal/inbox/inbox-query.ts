import { z } from 'zod';
import { readQuery, type SearchParams, SearchText } from '#app/ui/lists/list-query.ts';
import type { InboxFilter } from '#server/inbox/inbox.ts';
import { kinds } from '#server/notifications/kinds.ts';

const inboxQuery = { filter: z.enum(['unread', 'confirm']), kind: z.enum(kinds), search: SearchText };

/** Reads the filter of the notifications page from its address. Leaves out what is not valid. */
export function readInboxFilter(given: SearchParams | URLSearchParams): InboxFilter {
  const { filter, kind, search } = readQuery(inboxQuery, given);
  return { unread: filter === 'unread' || undefined, toConfirm: filter === 'confirm' || undefined, kind, search };
}
