import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { olderAddress } from '#app/portal/inbox/inbox-address.ts';
import type { Marked } from '#app/portal/live/feed/channel.ts';
import { applyMark } from '#app/portal/live/store/mark-log.ts';
import { useHydrating, usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { markAllReadAction, recordShownAction, undoMarkAllReadAction } from '#app/portal/notification/actions.ts';
import { waitsForConfirmation } from '#app/portal/notification/item.ts';
import { storeMark } from '#app/portal/notification/item-parts.tsx';
import { announce } from '#app/ui/dialogs/pop-up-area.tsx';
import { groupRepeats } from '#app/ui/lists/repeats.ts';
import type { InboxCursor, InboxFilter } from '#server/inbox/inbox.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { MarkedAll } from '#server/inbox/read-state.ts';

const undoMs = 10_000;

// Whether an item that this page already has belongs to a list. The service decides the rest.
const belongs = (item: Item, { unread, toConfirm }: InboxFilter) =>
  !(unread && item.read) && !(toConfirm && !waitsForConfirmation(item));

const newestOf = (items: Item[]) => items.reduce((newest, { no }) => Math.max(newest, no), 0);

// An item does not say who its sender is, only a name. So a list of one sender shows new ones when
// it loads again.
const matches = (item: Item, { kind, search, sender, place, toConfirm }: InboxFilter) => {
  const text = `${item.title}\n${item.body}`.toLowerCase();
  const words = search?.toLowerCase().split(/\s+/) ?? [];
  if (place !== undefined || sender !== undefined) return false;
  return (
    (!toConfirm || waitsForConfirmation(item)) &&
    (!kind || item.kind === kind) &&
    words.every((word) => text.includes(word))
  );
};

// A list of the archive, or of what is snoozed, loses what returns to the inbox. What waits for a
// confirmation stays in its list while it is snoozed.
function follow(items: Item[], marked: Marked, filter: InboxFilter): Item[] {
  if ('returned' in marked) {
    const numbers = marked.returned.map(({ no }) => no);
    if (filter.place) return items.filter(({ no }) => !numbers.includes(no));
    return applyMark(items, { returned: marked.returned.filter((item) => matches(item, filter)) });
  }
  if ('moved' in marked && (filter.toConfirm || filter.place === marked.to)) return items;
  return applyMark(items, marked);
}

/** A list of notifications as the service rendered it. `next`: where the next page begins. */
export type InboxListing = {
  initial: Item[];
  listedAt: number;
  more: boolean;
  next?: InboxCursor;
  filter: InboxFilter;
  unreadFirst?: boolean;
};

/**
 * Keeps the items of a list and offers its actions. `initial` was read at `listedAt` (ms since 1970, the
 * clock of the database); later marks are applied to it. A mark shows at once and is undone if the
 * service does not store it. Marks of other tabs are applied. New items wait in `waiting`;
 * while the list is empty, they are added at once.
 */
export function useInboxItems({
  initial,
  listedAt,
  more: initialMore,
  next = {},
  filter,
  unreadFirst = false,
}: InboxListing) {
  const t = useTranslations('inbox');
  const portal = usePortal();
  const { arrived } = usePortalState();
  const [current, setItems] = useState(() =>
    portal.marks.applyTo(initial, listedAt).filter((item) => belongs(item, filter)),
  );
  const items = useHydrating() ? initial.filter((item) => belongs(item, filter)) : current;
  const [more, setMore] = useState(initialMore);
  const [cursor, setCursor] = useState(next);
  const [loading, setLoading] = useState(false);
  const [failure, setFailure] = useState<{ retry?: () => void } | null>(null);
  const top = newestOf(items);
  const waiting = arrived.filter((item) => item.no > top && matches(item, filter));
  const showWaiting = () => setItems((now) => [...waiting.filter(({ no }) => no > newestOf(now)), ...now]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only new items call for it
  useEffect(() => {
    if (items.length === 0 && waiting.length > 0) showWaiting();
  }, [items.length, waiting.length]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a list with another filter is another component
  useEffect(() => portal.marks.follow((marked) => setItems((now) => follow(now, marked, filter))), [portal]);

  const attempt = async (work: () => Promise<void>, retry?: () => void) => {
    try {
      await work();
      setFailure(null);
    } catch {
      setFailure({ retry });
    }
  };
  const mark = (item: Item, read: boolean): Promise<void> =>
    attempt(
      async () => {
        if (!(await storeMark(portal, { no: item.no, read }))) throw new Error('not stored');
      },
      () => void mark(item, read),
    );
  const undo = (marked: MarkedAll, before: Item[]) =>
    attempt(async () => {
      const result = await undoMarkAllReadAction(marked);
      if (!('value' in result)) throw new Error('not stored');
      const unreadAgain = before.filter(({ read }) => !read).map(({ no }) => no);
      portal.recordMarked({ unreadAgain }, result.value.unread);
      announce(t('undone'));
    });
  const markAll = () =>
    attempt(async () => {
      const before = items;
      const upTo = Math.max(top, arrived[0]?.no ?? 0, portal.state.unread.asOf);
      const result = await markAllReadAction({ upTo });
      if (!('value' in result)) throw new Error('not stored');
      const { marked, unread } = result.value;
      portal.recordMarked({ upTo }, unread);
      const action = { label: t('undo'), onClick: () => void undo(marked, before) };
      // In the middle, because a toast at the side covers the buttons of the entries.
      toast(t('markedAll'), { id: 'marked-all', duration: undoMs, action, position: 'bottom-center' });
      announce(t('markedAll'));
    });
  const loadMore = (added?: () => void) => {
    if (loading) return;
    setLoading(true);
    void attempt(async () => {
      const response = await fetch(olderAddress(filter, cursor, unreadFirst)).finally(() => setLoading(false));
      if (!response.ok) throw new Error(String(response.status));
      const page = (await response.json()) as { items: Item[]; more: boolean; next: InboxCursor };
      setItems((now) => [...now, ...page.items.filter((item) => !now.some(({ no }) => no === item.no))]);
      setMore(page.more);
      setCursor(page.next);
      added?.();
    }, loadMore);
  };
  const find = (no: number) => items.find((item) => item.no === no);
  return {
    items,
    more,
    loading,
    failed: failure !== null,
    retry: failure?.retry,
    waiting: waiting.length,
    showWaiting,
    mark,
    markAll,
    loadMore,
    toggle: (no: number) => {
      const item = find(no);
      if (item) void mark(item, !item.read);
    },
  };
}

// Two rows stay two rows: they are read as quickly as one that must be opened.
const minRepeats = 3;

/**
 * Groups neighbours with one title, kind and sender, where there are three or more. What waits for
 * a confirmation and reminders stay rows of their own.
 */
export function groupItems(items: Item[]): Item[][] {
  const groups = groupRepeats(items, (item) => {
    const single = waitsForConfirmation(item) || item.remindsNo !== null;
    return JSON.stringify(single ? item.no : [item.title, item.kind, item.sender, item.isManual]);
  });
  return groups.flatMap(({ items: same }) => (same.length >= minRepeats ? [same] : same.map((item) => [item])));
}

const flushDelayMs = 500;
const maxRecorded = 100;

/**
 * Records which items the employee has seen: those that were at least half visible. Returns the ref
 * for the element around the list.
 */
export function useRecordShown(items: Item[]) {
  const list = useRef<HTMLDivElement>(null);
  const recorded = useRef(new Set<number>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: new items are new elements to watch
  useEffect(() => {
    const seen = new Set<number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      const numbers = [...seen].filter((no) => !recorded.current.has(no)).slice(0, maxRecorded);
      for (const no of numbers) recorded.current.add(no);
      seen.clear();
      if (numbers.length > 0) void recordShownAction({ numbers }).catch(() => {});
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting && !document.hidden) seen.add(Number((target as HTMLElement).dataset.no));
        clearTimeout(timer);
        timer = setTimeout(flush, flushDelayMs);
      },
      { threshold: 0.5 },
    );
    for (const entry of list.current?.querySelectorAll('[data-no]') ?? []) observer.observe(entry);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      flush();
    };
  }, [items]);
  return list;
}
