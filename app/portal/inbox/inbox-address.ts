import { asSenderText } from '#app/portal/inbox/sender-text.ts';
import { addressOf } from '#app/ui/lists/address.ts';
import type { InboxCursor, InboxFilter } from '#server/inbox/inbox.ts';

/** Returns the address of the notifications page with a filter. */
export const pageAddress = (filter: InboxFilter): string => addressOf('/portal/notifications', asQuery(filter));

/**
 * Returns the address of the notifications from a cursor on, as JSON, with a filter. `unreadFirst`
 * is the order of the page before.
 */
export const olderAddress = (filter: InboxFilter, { before, part }: InboxCursor, unreadFirst: boolean): string =>
  addressOf('/portal/inbox', { before, part, order: unreadFirst ? 'unread' : undefined, ...asQuery(filter) });

const asQuery = ({ unread, toConfirm, place, kind, sender, search }: InboxFilter) => ({
  filter: unread ? 'unread' : toConfirm ? 'confirm' : place,
  kind,
  sender: sender && asSenderText(sender),
  search,
});
