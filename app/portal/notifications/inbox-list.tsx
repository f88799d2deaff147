'use client';

import { Alert, Button, Group, Stack, VisuallyHidden } from '@mantine/core';
import { getHotkeyHandler } from '@mantine/hooks';
import { Archive, ArrowUp, CheckCheck, Inbox, SearchX } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useFormatter, useNow, useTimeZone, useTranslations } from 'next-intl';
import { Fragment, type KeyboardEvent, type RefObject } from 'react';
import { toast } from 'sonner';
import { pageAddress } from '#app/portal/inbox/inbox-address.ts';
import { groupItems, type InboxListing, useInboxItems, useRecordShown } from '#app/portal/inbox/use-inbox-items.ts';
import { ConnectionState } from '#app/portal/live/controls/status-bar.tsx';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { maxUnread } from '#app/portal/live/store/portal-state.ts';
import { InboxEntries } from '#app/portal/notification/inbox-entry.tsx';
import { itemAddress } from '#app/portal/notification/item.ts';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import type { InboxFilter } from '#server/inbox/inbox.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

/** Whether the portal listens, and in one line what waits for the employee. */
export function InboxState() {
  const t = useTranslations('bell');
  const { unread } = usePortalState();
  return (
    <Group gap="4px 16px">
      <ConnectionState />
      {unread.count > 0 && <span>{t('summary', { count: Math.min(unread.count, maxUnread) })}</span>}
    </Group>
  );
}

/** The notifications by day, with their buttons. New ones wait behind a button. */
export function InboxList(listing: InboxListing) {
  const { filter } = listing;
  const t = useTranslations('inbox');
  const { unread } = usePortalState();
  const inbox = useInboxItems(listing);
  const portal = usePortal();
  const placeTexts = useTranslations('archiveAndSnooze');
  const readHere = inbox.items.filter((item) => item.read).length;
  const archiveRead = async () => {
    const { archiveAllRead } = await import('#app/portal/notification/archive-and-snooze.ts');
    if (await archiveAllRead(portal, placeTexts, inbox.items)) toast.error(placeTexts('failed'));
  };
  const router = useRouter();
  const list = useRecordShown(inbox.items);
  const onKeyDown = useShortcuts(list, {
    toggle: (no) => inbox.toggle(no),
    open: (no) => router.push(itemAddress(no)),
  });
  const back = inbox.items.filter((item) => item.back);
  const days = useDays(inbox.items.filter((item) => !item.back));
  return (
    <Stack gap="xs">
      <VisuallyHidden role="status">{t('listed', { count: inbox.items.length })}</VisuallyHidden>
      {inbox.failed && (
        <Alert color="red" variant="filled" role="alert" className="sticky-note">
          <Group justify="space-between">
            {t('failed')}
            {inbox.retry && (
              <Button variant="default" onClick={inbox.retry}>
                {t('retry')}
              </Button>
            )}
          </Group>
        </Alert>
      )}
      <div className="inbox-tools">
        <Button
          variant="subtle"
          px="sm"
          aria-label={t('markAll')}
          leftSection={<CheckCheck aria-hidden size={18} />}
          aria-disabled={unread.count === 0}
          data-disabled={unread.count === 0 || undefined}
          onClick={() => {
            if (unread.count > 0) void inbox.markAll();
          }}
        >
          {t('markAllShort')}
        </Button>
      </div>
      {inbox.waiting > 0 && (
        <Button
          variant="filled"
          className="sticky-note"
          leftSection={<ArrowUp aria-hidden size={18} />}
          onClick={() => {
            inbox.showWaiting();
            focusEntry(list, 0);
          }}
        >
          {t('new', { count: inbox.waiting })}
        </Button>
      )}
      {inbox.items.length === 0 && <Nothing filter={filter} />}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys come from its rows */}
      <div ref={list} onKeyDown={onKeyDown}>
        {back.length > 0 && (
          <>
            <h2 className="day-head">{placeTexts('backHead')}</h2>
            <InboxEntries groups={back.map((item) => [item])} onMark={inbox.mark} />
          </>
        )}
        {days.map(({ name, items }) => (
          <Fragment key={name}>
            <h2 className="day-head">{name}</h2>
            <InboxEntries groups={groupItems(items)} onMark={inbox.mark} />
          </Fragment>
        ))}
      </div>
      {readHere > 0 && filter.place === undefined && !filter.unread && !filter.toConfirm && (
        <Button variant="subtle" leftSection={<Archive aria-hidden size={18} />} onClick={() => void archiveRead()}>
          {placeTexts('archiveRead')}
        </Button>
      )}
      {inbox.more && (
        <Button
          variant="default"
          aria-busy={inbox.loading}
          onClick={() => {
            const before = list.current?.querySelectorAll('[data-no]').length ?? 0;
            inbox.loadMore(() => focusEntry(list, before));
          }}
        >
          {t('more')}
        </Button>
      )}
    </Stack>
  );
}

// Focuses an entry, because the button that had the focus was removed.
function focusEntry(list: RefObject<HTMLElement | null>, index: number): void {
  requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-no]')[index]?.focus());
}

function Nothing({ filter }: { filter: InboxFilter }) {
  const t = useTranslations('inbox');
  const placeTexts = useTranslations('archiveAndSnooze');
  const searched = [filter.search, filter.kind, filter.sender].some((condition) => condition !== undefined);
  const text = () => {
    if (filter.place) return placeTexts(filter.place === 'archive' ? 'emptyArchive' : 'emptySnoozed');
    if (filter.toConfirm) return t('allConfirmed');
    return filter.unread ? t('allRead') : t('empty');
  };
  if (!searched) return <EmptyState icon={<Inbox aria-hidden size={32} />} text={text()} />;
  return (
    <EmptyState icon={<SearchX aria-hidden size={32} />} text={t('nothingFound')}>
      <Button component={PageLink} href={pageAddress({})} variant="default">
        {t('clearFilters')}
      </Button>
    </EmptyState>
  );
}

/** Groups items by day in the company's time zone, and names each day. */
function useDays(items: Item[]): { name: string; items: Item[] }[] {
  const t = useTranslations('inbox');
  const format = useFormatter();
  const timeZone = useTimeZone() ?? 'Asia/Jakarta';
  const now = useNow();
  const dayOf = (at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);
  const today = dayOf(now);
  const yesterday = dayOf(new Date(now.getTime() - 24 * 60 * 60 * 1000));
  const nameOf = (day: string, at: Date) => {
    if (day === today) return t('today');
    if (day === yesterday) return t('yesterday');
    return format.dateTime(at, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  };
  const days = new Map<string, Item[]>();
  for (const item of items) {
    const day = dayOf(new Date(item.createdAt));
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days].map(([day, ofDay]) => ({ name: nameOf(day, new Date(ofDay[0]?.createdAt ?? 0)), items: ofDay }));
}

type ShortcutActions = { toggle: (no: number) => void; open: (no: number) => void };

/**
 * Returns the handler of the keys j and k (move), Enter (open) and r (read or unread). They act only
 * while a row has the focus, so they need no switch (WCAG 2.1.4).
 */
function useShortcuts(list: RefObject<HTMLElement | null>, { toggle, open }: ShortcutActions) {
  const rowOf = (event: KeyboardEvent) =>
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-no]') : null;
  const moveBy = (by: 1 | -1) => (event: KeyboardEvent) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-no]') ?? [])];
    const row = rowOf(event);
    const next = row && rows[rows.indexOf(row) + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  const withRow = (act: (no: number) => void) => (event: KeyboardEvent) => {
    const no = Number(rowOf(event)?.dataset.no);
    if (no) act(no);
  };
  return getHotkeyHandler([
    ['j', moveBy(1)],
    ['k', moveBy(-1)],
    ['r', withRow(toggle)],
    // Enter on a link or button inside the row keeps its own meaning.
    ['Enter', (event) => event.target === rowOf(event) && withRow(open)(event), { preventDefault: false }],
  ]);
}
