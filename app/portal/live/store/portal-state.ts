import type { Connection } from '#app/portal/live/feed/channel.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { Preferences } from '#server/inbox/preferences.ts';
import type { UnreadCount } from '#server/inbox/unread.ts';

export type PortalState = {
  unread: UnreadCount;
  arrived: Item[];
  withdrawn: number[];
  connection: Connection;
  sessionEnded: boolean;
  preferences: Preferences;
};

export type InitialPortal = {
  /** Identifies the employee in this browser's storage and channels. */
  person: string;
  timeZone: string;
  linkBase: string | null;
  /** Whether this is a bell. In the page of another site, and in WebKit, it sees no other tab of this browser. */
  isBell?: boolean;
  newest: number;
  pushKey: string;
  unread: UnreadCount;
  preferences: Preferences;
};

/** Returns the state after new notifications have arrived, the oldest first. */
export function withArrived({ unread, arrived }: PortalState, items: Item[]): Pick<PortalState, 'arrived' | 'unread'> {
  const added = items.filter(({ no, read }) => no > unread.asOf && !read).length;
  const asOf = Math.max(unread.asOf, ...items.map(({ no }) => no));
  return { arrived: [...items.toReversed(), ...arrived], unread: { ...unread, count: unread.count + added, asOf } };
}

/** The unread count after the service has counted again: the later count wins, and what arrived since is added. */
export function withCount({ unread, arrived }: PortalState, counted: UnreadCount): UnreadCount {
  if (counted.at < unread.at) return unread;
  const since = arrived.filter(({ no, read }) => no > counted.asOf && !read).length;
  return { ...counted, count: counted.count + since, asOf: Math.max(counted.asOf, unread.asOf) };
}

/** The highest unread count. The service stops counting there (`server/inbox/unread.ts`). */
export const maxUnread = 1000;

/** Writes an unread count for a small place: 100 and more are "99+". */
export const shortCount = (count: number): string => (count > 99 ? '99+' : String(count));
