import { useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, useState } from 'react';
import { olderAddress } from '#app/portal/inbox/inbox-address.ts';
import type { Marked } from '#app/portal/live/feed/channel.ts';
import { applyMark, type ListedItem, markRow } from '#app/portal/live/store/mark-log.ts';
import { useHydrating, usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { markAllReadAction, undoMarkAllReadAction } from '#app/portal/notification/actions.ts';
import { waitsForConfirmation } from '#app/portal/notification/item.ts';
import { announce } from '#app/ui/dialogs/announce.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { groupRepeats } from '#app/ui/lists/repeats.ts';
import type { InboxCursor, InboxFilter } from '#server/inbox/inbox.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { UnreadCount } from '#server/inbox/unread.ts';

const undoMs = 10_000;

// Whether an item that this page already has belongs to a list. The service decides the rest.
const belongs = (item: Item, { unread, toConfirm }: InboxFilter) =>
  !(unread && item.read) && !(toConfirm && !waitsForConfirmation(item));

const newestOf = (items: Item[]) => items.reduce((newest, { no }) => Math.max(newest, no), 0);

// An item does not say who its sender is, only a name. So a list of one sender shows new ones when it loads again.
const matches = (item: Item, { kind, search, sender, place, toConfirm }: InboxFilter) => {
  const text = `${item.title}\n${item.body}`.toLowerCase();
  const words = search?.toLowerCase().split(/\s+/) ?? [];
  if (place || sender || (kind && item.kind !== kind) || (toConfirm && !waitsForConfirmation(item))) return false;
  return words.every((word) => text.includes(word));
};

/** A list of notifications as the service rendered it. `next`: where the next page begins. */
export type InboxListing = {
  initial: Item[];
  listedAt: number;
  more: boolean;
  next?: InboxCursor;
  filter: InboxFilter;
  unreadFirst?: boolean;
};

/** The items of a list with later marks, and its actions. New ones are `waiting` unless it is empty. `undo`: 10 s. */
export function useInboxItems(listing: InboxListing) {
  const { initial, listedAt, next = {}, filter, unreadFirst = false } = listing;
  const t = useTranslations('inbox');
  const portal = usePortal();
  const { arrived } = usePortalState();
  const [current, setItems] = useState<ListedItem[]>(() =>
    withTop(portal.marks.applyTo(initial, listedAt).filter((item) => belongs(item, filter))),
  );
  const items = useHydrating() ? withTop(initial.filter((item) => belongs(item, filter))) : current;
  const [returned, setReturned] = useState<Item[]>([]);
  const [undo, setUndo] = useState<(() => void) | null>(null);
  const [more, setMore] = useState(listing.more);
  const [cursor, setCursor] = useState(next);
  const [loading, setLoading] = useState(false);
  const [failed, setFailed] = useState(false);
  const top = newestOf(items);
  const waiting = arrived.filter((item) => item.no > top && matches(item, filter));
  const back = returned.filter((item) => matches(item, filter) && !items.some(({ no }) => no === item.no));
  const showWaiting = () => {
    setItems((now) => {
      const all = [...waiting.filter(({ no }) => no > newestOf(now)), ...now];
      return withTop(applyMark(all, { returned: back }));
    });
    setReturned([]);
  };
  const waitingCount = waiting.length + back.length;
  if (current.length === 0 && waitingCount > 0) showWaiting();
  const applyMarked = useEffectEvent((marked: Marked) => {
    setItems((now) => now.map((item) => markRow(item, marked, filter.place)));
    if ('returned' in marked) setReturned((before) => [...marked.returned, ...before]);
  });
  useEffect(() => portal.marks.follow((marked) => applyMarked(marked)), [portal]);
  useEffect(() => {
    const timer = undo && setTimeout(() => setUndo(null), undoMs);
    return () => clearTimeout(timer ?? undefined);
  }, [undo]);

  const change = async <Value extends { unread: UnreadCount }>(act: () => Promise<Result<Value>>, marked: Marked) => {
    const result = await portal.storeMarked(act(), () => marked);
    setFailed('problem' in result);
    return 'value' in result ? result.value : null;
  };
  const markAll = async () => {
    const unreadAgain = items.filter(({ read }) => !read).map(({ no }) => no);
    const upTo = Math.max(top, arrived[0]?.no ?? 0, portal.state.unread.asOf);
    const stored = await change(() => markAllReadAction({ upTo }), { upTo });
    if (!stored) return;
    const takeBack = async () => {
      if (!(await change(() => undoMarkAllReadAction(stored.marked), { unreadAgain }))) return;
      setUndo(null);
      announce(t('undone'));
    };
    setUndo(() => () => void takeBack());
    announce(t('markedAll'));
  };
  const loadMore = async (added: () => void) => {
    if (loading) return;
    setLoading(true);
    type Page = { items: Item[]; more: boolean; next: InboxCursor };
    const page = await fetch(olderAddress(filter, cursor, unreadFirst))
      .then((response) => (response.ok ? (response.json() as Promise<Page>) : null))
      .catch(() => null);
    setLoading(false);
    setFailed(page === null);
    if (!page) return;
    setItems((now) => [...now, ...page.items.filter((item) => !now.some(({ no }) => no === item.no))]);
    setMore(page.more);
    setCursor(page.next);
    added();
  };
  return { items, more, loading, failed, waiting: waitingCount, showWaiting, undo, markAll, loadMore };
}

const withTop = (items: ListedItem[]): ListedItem[] =>
  items.map((item) => (item.back ? { ...item, onTop: true } : item));

// Two rows stay two rows: they are read as quickly as one that must be opened.
const minRepeats = 3;

/** Groups three or more neighbours of one title, kind and sender, unless they must be confirmed or ask for answers. */
export function groupItems(items: ListedItem[]): ListedItem[][] {
  const groups = groupRepeats(items, (item) => {
    const single = item.mustConfirm || item.answers !== null || item.moved === 'withdrawn';
    return JSON.stringify(single ? item.no : [item.title, item.kind, item.sender, item.isManual]);
  });
  return groups.flatMap((same) => (same.length >= minRepeats ? [same] : same.map((item) => [item])));
}
