'use client';

import { useTranslations } from 'next-intl';
import { asSenderText, pageAddress } from '#app/portal/inbox/inbox-address.ts';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { shortCount } from '#app/portal/live/store/portal-state.ts';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { LinkTabs } from '#app/ui/text/links.tsx';
import type { InboxFilter, Sender } from '#server/inbox/inbox.ts';
import { kinds } from '#server/notifications/kinds.ts';

type Props = { filter: InboxFilter; toConfirm: number; senders: Sender[] };

/** The places of the inbox as tabs, and the filters of one. `toConfirm` counts what waits for a confirmation. */
export function InboxFilters({ filter, toConfirm, senders }: Props) {
  const t = useTranslations();
  const { unread } = usePortalState();
  const { place, kind, sender, search } = filter;
  const isUnread = filter.unread === true;
  const isToConfirm = filter.toConfirm === true;
  const tab = (text: string, current: boolean, to: InboxFilter) => ({
    ...{ text, current },
    href: pageAddress({ kind, sender, search, ...to }),
  });
  const tabs = [
    tab(t('archiveAndSnooze.inbox'), !isUnread && !isToConfirm && !place, {}),
    tab(unread.count > 0 ? `${t('inbox.unread')} (${shortCount(unread.count)})` : t('inbox.unread'), isUnread, {
      unread: true,
    }),
    ...(toConfirm > 0 || isToConfirm
      ? [tab(t('mustRead.pinned', { count: toConfirm }), isToConfirm, { toConfirm: true })]
      : []),
    tab(t('archiveAndSnooze.snoozedPlace'), place === 'snoozed', { place: 'snoozed' }),
    tab(t('archiveAndSnooze.archivePlace'), place === 'archive', { place: 'archive' }),
  ];
  return (
    <>
      <LinkTabs label={t('inbox.filters')} tabs={tabs} />
      <FilterBar
        search={{ name: 'search', label: t('inbox.search'), value: search }}
        filters={[
          {
            ...{ type: 'select', name: 'kind', label: t('inbox.byKind'), value: kind },
            choices: kinds.map((value) => ({ value, label: t(`inbox.kind.${value}`) })),
          },
          {
            ...{ type: 'select', name: 'sender', label: t('archiveAndSnooze.sender') },
            value: sender && asSenderText(sender),
            choices: senders.map(({ id, name }) => ({ value: asSenderText(id), label: name })),
          },
        ]}
        keep={{ filter: isUnread ? 'unread' : isToConfirm ? 'confirm' : place }}
      />
    </>
  );
}
