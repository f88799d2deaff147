import { addressOf } from '#app/ui/lists/address.ts';
import type { InboxCursor, InboxFilter, SenderId } from '#server/inbox/inbox.ts';

export const pageAddress = (filter: InboxFilter): string => addressOf('/portal/notifications', asQuery(filter));

/** The address of further notifications as JSON. `unreadFirst` is the order of the page before. */
export const olderAddress = (filter: InboxFilter, { before, part }: InboxCursor, unreadFirst: boolean): string =>
  addressOf('/portal/inbox', { before, part, order: unreadFirst ? 'unread' : undefined, ...asQuery(filter) });

const asQuery = ({ kind, sender, search, ...place }: InboxFilter) => ({
  filter: placeName(place),
  kind,
  sender: sender && asSenderText(sender),
  search,
});

/** The name of a place of the inbox in an address; the whole inbox has none. */
export const placeName = ({ unread, toConfirm, place }: InboxFilter): string | undefined =>
  unread ? 'unread' : toConfirm ? 'confirm' : place;

/** Writes a sender for an address: `k` and the id of a key, or `p` and the id of a person. */
export const asSenderText = (sender: SenderId): string =>
  'keyId' in sender ? `k${sender.keyId}` : `p${sender.accountId}`;

export function asSender(text: string): SenderId | undefined {
  const [, who, id] = /^([kp])([1-9]\d{0,8})$/.exec(text) ?? [];
  if (!id) return undefined;
  return who === 'k' ? { keyId: Number(id) } : { accountId: Number(id) };
}
