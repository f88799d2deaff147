'use client';

import { Alert, Box, Button, Group, Stack, VisuallyHidden } from '@mantine/core';
import { getHotkeyHandler, useMediaQuery } from '@mantine/hooks';
import { ArrowUp, CheckCheck, Inbox, MailOpen, Search, SearchX, Undo2 } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useFormatter, useTimeZone, useTranslations } from 'next-intl';
import { Fragment, type KeyboardEvent, type MouseEvent, type RefObject } from 'react';
import { asSenderText, pageAddress, placeName } from '#app/portal/inbox/inbox-address.ts';
import { groupItems, type InboxListing, useInboxItems } from '#app/portal/inbox/use-inbox-items.ts';
import { ConnectionState } from '#app/portal/live/controls/status-bar.tsx';
import type { ListedItem } from '#app/portal/live/store/mark-log.ts';
import { usePortalState, useSound } from '#app/portal/live/store/portal-context.tsx';
import { shortCount } from '#app/portal/live/store/portal-state.ts';
import { InboxEntries } from '#app/portal/notification/inbox-entry.tsx';
import { useRecordShown } from '#app/portal/notification/record-shown.ts';
import { OpenedNotification } from '#app/portal/notifications/[no]/opened-notification.tsx';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { EmptyState } from '#app/ui/lists/list-parts.tsx';
import { LinkTabs, PageLink, TextLink } from '#app/ui/text/links.tsx';
import { dayMs, isoDayOf, serviceNow } from '#app/ui/text/times.ts';
import type { InboxFilter, Sender } from '#server/inbox/inbox.ts';
import { kinds } from '#server/notifications/kinds.ts';

export function InboxState() {
  const sound = useTranslations('sound');
  return (
    <Group gap="4px 16px">
      <ConnectionState />
      {useSound() === 'muted' && (
        <TextLink href="/portal/settings" inherit my={-12} py={12}>
          {sound('muted')}
        </TextLink>
      )}
    </Group>
  );
}

/** The notifications by day. New ones wait behind a button. A wide screen has the opened one (`open`) beside. */
export function InboxList(listing: InboxListing) {
  const { filter } = listing;
  const t = useTranslations();
  const { unread } = usePortalState();
  const inbox = useInboxItems(listing);
  const list = useRecordShown<HTMLDivElement>(inbox.items);
  const onKeyDown = useShortcuts(list);
  const isWide = useMediaQuery('(min-width: 68.75em)');
  const opened = Number(useSearchParams().get('open')) || undefined;
  const openedItem = inbox.items.find(({ no }) => no === opened);
  const onOpen = (event: MouseEvent, no: number) => {
    if (!isWide || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const address = new URL(location.href);
    address.searchParams.set('open', String(no));
    history[opened ? 'replaceState' : 'pushState'](null, '', address);
  };
  const entries = (groups: ListedItem[][]) => <InboxEntries groups={groups} opened={opened} onOpen={onOpen} />;
  const back = inbox.items.filter((item) => item.onTop);
  const days = useDays(inbox.items.filter((item) => !item.onTop));
  return (
    <div className="inbox-columns">
      <Stack gap="xs">
        <VisuallyHidden role="status">{t('inbox.listed', { count: inbox.items.length })}</VisuallyHidden>
        {inbox.failed && (
          <Alert color="red" variant="filled" className="sticky-note">
            {t('inbox.failed')}
          </Alert>
        )}
        {/* Beside the title, where no pop-up lies. */}
        <Box pos="absolute" top={0} right={0}>
          {inbox.undo ? (
            <Button className="settle" variant="light" leftSection={<Undo2 />} onClick={inbox.undo}>
              {t('inbox.undo')}
            </Button>
          ) : (
            <Button
              variant="subtle"
              px="sm"
              aria-label={t('inbox.markAll')}
              leftSection={<CheckCheck />}
              aria-disabled={unread.count === 0}
              data-disabled={unread.count === 0 || undefined}
              onClick={() => void (unread.count > 0 && inbox.markAll())}
            >
              {t('inbox.markAllShort')}
            </Button>
          )}
        </Box>
        {inbox.waiting > 0 && (
          <Button
            className="sticky-note inbox-new settle"
            leftSection={<ArrowUp />}
            onClick={() => {
              inbox.showWaiting();
              focusEntry(list, 0);
            }}
          >
            {t('inbox.new', { count: inbox.waiting })}
          </Button>
        )}
        {inbox.items.length === 0 && <Nothing filter={filter} />}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys come from its rows */}
        <div ref={list} onKeyDown={onKeyDown}>
          {back.length > 0 && (
            <>
              <h2 className="day-head">{t('archiveAndSnooze.backHead')}</h2>
              {entries(back.map((item) => [item]))}
            </>
          )}
          {days.map(({ name, items }) => (
            <Fragment key={name}>
              <h2 className="day-head">{name}</h2>
              {entries(groupItems(items))}
            </Fragment>
          ))}
        </div>
        {inbox.more && (
          <Button
            variant="default"
            aria-busy={inbox.loading}
            onClick={() => {
              const before = list.current?.querySelectorAll('[data-no]').length ?? 0;
              void inbox.loadMore(() => focusEntry(list, before));
            }}
          >
            {t('inbox.more')}
          </Button>
        )}
      </Stack>
      <section className="inbox-opened" aria-label={t('inbox.opened')}>
        {isWide && openedItem ? (
          <OpenedNotification key={openedItem.no} initial={openedItem} headingOrder={2} />
        ) : (
          <EmptyState icon={<MailOpen size={32} />} text={t('inbox.chooseOne')} />
        )}
      </section>
    </div>
  );
}

// Focuses an entry, because the button that had the focus was removed.
function focusEntry(list: RefObject<HTMLElement | null>, index: number): void {
  requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-no]')[index]?.focus());
}

const isSearched = ({ search, kind, sender }: InboxFilter) => [search, kind, sender].some((one) => one !== undefined);

function Nothing({ filter }: { filter: InboxFilter }) {
  const t = useTranslations();
  const text = () => {
    if (filter.place) return t(`archiveAndSnooze.${filter.place === 'archive' ? 'emptyArchive' : 'emptySnoozed'}`);
    if (filter.toConfirm) return t('inbox.allConfirmed');
    return t(filter.unread ? 'inbox.allRead' : 'inbox.empty');
  };
  if (!isSearched(filter)) return <EmptyState icon={<Inbox size={32} />} text={text()} />;
  return (
    <EmptyState icon={<SearchX size={32} />} text={t('inbox.nothingFound')}>
      <Button component={PageLink} href={pageAddress({})} variant="default">
        {t('inbox.clearFilters')}
      </Button>
    </EmptyState>
  );
}

function useDays(items: ListedItem[]): { name: string; items: ListedItem[] }[] {
  const t = useTranslations('inbox');
  const format = useFormatter();
  const timeZone = useTimeZone() ?? 'Asia/Jakarta';
  const now = serviceNow();
  const today = isoDayOf(now, timeZone);
  const yesterday = isoDayOf(new Date(now.getTime() - dayMs), timeZone);
  const nameOf = (day: string, date: Date) => {
    if (day === today) return t('today');
    if (day === yesterday) return t('yesterday');
    return format.dateTime(date, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  };
  const days = new Map<string, ListedItem[]>();
  for (const item of items) {
    const day = isoDayOf(new Date(item.createdAt), timeZone);
    days.set(day, [...(days.get(day) ?? []), item]);
  }
  return [...days].map(([day, ofDay]) => ({ name: nameOf(day, new Date(ofDay[0]?.createdAt ?? 0)), items: ofDay }));
}

// The keys j and k (move), Enter (open) and those that its buttons name, only while a row has the focus (WCAG 2.1.4).
function useShortcuts(list: RefObject<HTMLElement | null>) {
  const rowOf = (event: KeyboardEvent) =>
    event.target instanceof Element ? event.target.closest<HTMLElement>('[data-no]') : null;
  const moveBy = (by: 1 | -1) => (event: KeyboardEvent) => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-no]') ?? [])];
    const row = rowOf(event);
    const next = row && rows[rows.indexOf(row) + by];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  const press = (selector: string) => (event: KeyboardEvent) =>
    rowOf(event)?.querySelector<HTMLElement>(selector)?.click();
  return getHotkeyHandler([
    ['j', moveBy(1)],
    ['k', moveBy(-1)],
    ['e', press('[aria-keyshortcuts=e]')],
    ['s', press('[aria-keyshortcuts=s]')],
    ['r', press('[aria-keyshortcuts=r]')],
    // Enter on a link or button inside the row keeps its own meaning.
    ['Enter', (event) => event.target === rowOf(event) && press('.entry-link')(event), { preventDefault: false }],
  ]);
}

// Within the press: an iPhone shows its keyboard only then.
function openSearch(event: MouseEvent<HTMLElement>): void {
  const fold = event.currentTarget.parentElement as HTMLDetailsElement;
  if (fold.open) return;
  event.preventDefault();
  fold.open = true;
  fold.querySelector('input')?.focus();
}

type Props = { filter: InboxFilter; toConfirm: number; senders: Sender[] };

/** The places of the inbox as tabs, and the filters of one. `toConfirm` counts what waits for a confirmation. */
export function InboxFilters({ filter, toConfirm, senders }: Props) {
  const t = useTranslations();
  const { unread } = usePortalState();
  const { kind, sender, search } = filter;
  const tab = (text: string, place: InboxFilter) => ({
    text,
    current: placeName(place) === placeName(filter),
    href: pageAddress({ kind, sender, search, ...place }),
  });
  const count = unread.count > 0 ? ` (${shortCount(unread.count)})` : '';
  const tabs = [
    tab(t('archiveAndSnooze.inbox'), {}),
    tab(t('inbox.unread') + count, { unread: true }),
    ...(toConfirm > 0 || filter.toConfirm
      ? [tab(t('mustRead.pinned', { count: toConfirm }), { toConfirm: true })]
      : []),
    tab(t('archiveAndSnooze.snoozedPlace'), { place: 'snoozed' }),
    tab(t('archiveAndSnooze.archivePlace'), { place: 'archive' }),
  ];
  const ofKinds = kinds.map((value) => ({ value, label: t(`inbox.kind.${value}`) }));
  const ofSenders = senders.map(({ id, name }) => ({ value: asSenderText(id), label: name }));
  const from = sender && asSenderText(sender);
  return (
    <>
      <LinkTabs label={t('inbox.filters')} tabs={tabs} />
      {/* Before the scripts run, too. */}
      <details className="inbox-search" open={isSearched(filter)}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: a summary is a button */}
        <summary className="icon-button" title={t('inbox.search')} onClick={openSearch}>
          <VisuallyHidden>{t('inbox.search')}</VisuallyHidden>
          <Search size={20} />
        </summary>
        <FilterBar
          search={{ name: 'search', label: t('inbox.search'), value: search }}
          filters={[
            { type: 'select', name: 'kind', label: t('inbox.byKind'), value: kind, choices: ofKinds },
            { type: 'select', name: 'sender', label: t('archiveAndSnooze.sender'), value: from, choices: ofSenders },
          ]}
          keep={{ filter: placeName(filter) }}
        />
      </details>
    </>
  );
}
