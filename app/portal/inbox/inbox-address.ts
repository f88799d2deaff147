import { addressOf } from '#app/ui/lists/address.ts';
import type { InboxFilter } from '#server/inbox/inbox.ts';

/** Returns the address of the notifications page with a filter. */
export const pageAddress = (filter: InboxFilter): string => addressOf('/portal/notifications', asQuery(filter));

/** Returns the address of the notifications older than number `before`, as JSON, with a filter. */
export const olderAddress = (filter: InboxFilter, before: number | undefined): string =>
  addressOf('/portal/inbox', { before, ...asQuery(filter) });

const asQuery = ({ unread, toConfirm, kind, search }: InboxFilter) => ({
  filter: unread ? 'unread' : toConfirm ? 'confirm' : undefined,
  kind,
  search,
});
