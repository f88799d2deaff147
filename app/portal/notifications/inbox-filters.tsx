'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { Search, SlidersHorizontal } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { asSenderText, pageAddress } from '#app/portal/inbox/inbox-address.ts';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { shortCount } from '#app/portal/live/store/portal-state.ts';
import { KindIcon } from '#app/portal/notification/item-parts.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { maxSearchLength } from '#app/ui/lists/address.ts';
import { PageLink } from '#app/ui/text/links.tsx';
import type { InboxFilter } from '#server/inbox/inbox.ts';
import { kinds } from '#server/notifications/kinds.ts';

const InboxMore = whenNeeded(() => import('#app/portal/notifications/inbox-more.tsx'), 'InboxMore');

const typingMs = 250;

/**
 * The filters of the list: unread, to confirm (`toConfirm` counts them), kind and search. Each is a link or a form with an address, so
 * that reload, back and sharing keep them.
 */
export function InboxFilters({ filter, toConfirm }: { filter: InboxFilter; toConfirm: number }) {
  const t = useTranslations('inbox');
  const mustRead = useTranslations('mustRead');
  const { unread } = usePortalState();
  const placeTexts = useTranslations('archiveAndSnooze');
  const [moreOpened, setMoreOpened] = useState(false);
  const all = { ...filter, unread: undefined, toConfirm: undefined, place: undefined };
  return (
    <div className="inbox-filters">
      <div className="inbox-chips">
        <Group gap={4} component="nav" aria-label={t('filters')} wrap="nowrap">
          <Tab to={all} current={!filter.unread && !filter.toConfirm && !filter.place}>
            {t('all')}
          </Tab>
          <Tab to={{ ...all, unread: true }} current={filter.unread === true}>
            {unread.count > 0 ? `${t('unread')} (${shortCount(unread.count)})` : t('unread')}
          </Tab>
          {(toConfirm > 0 || filter.toConfirm) && (
            <Tab to={{ ...all, toConfirm: true }} current={filter.toConfirm === true}>
              {mustRead('pinned', { count: toConfirm })}
            </Tab>
          )}
          {filter.place && (
            <Tab to={filter} current>
              {filter.place === 'archive' ? placeTexts('archivePlace') : placeTexts('snoozedPlace')}
            </Tab>
          )}
          {filter.sender && (
            <Tab to={{ ...filter, sender: undefined }} current={false} label={placeTexts('clearSender')}>
              {placeTexts('oneSender')} ×
            </Tab>
          )}
        </Group>
        <Group gap={6} component="nav" aria-label={t('byKind')} className="kinds">
          <Tab to={{ ...filter, kind: undefined }} current={!filter.kind} small>
            {t('everyKind')}
          </Tab>
          {kinds.map((kind) => (
            <Tab
              key={kind}
              to={{ ...filter, kind }}
              current={filter.kind === kind}
              small
              icon={<KindIcon kind={kind} size={16} />}
            >
              {t(`kind.${kind}`)}
            </Tab>
          ))}
        </Group>
      </div>
      <SearchField filter={filter} />
      <button
        type="button"
        className="icon-button"
        title={placeTexts('more')}
        aria-label={placeTexts('more')}
        aria-haspopup="dialog"
        onClick={() => setMoreOpened(true)}
      >
        <SlidersHorizontal aria-hidden size={20} />
      </button>
      {moreOpened && <InboxMore filter={filter} onClose={() => setMoreOpened(false)} />}
    </div>
  );
}

type Props = {
  to: InboxFilter;
  current: boolean;
  label?: string;
  small?: boolean;
  icon?: ReactNode;
  children: ReactNode;
};

function Tab({ to, current, label, small = false, icon, children }: Props) {
  return (
    <Button
      component={PageLink}
      href={pageAddress(to)}
      variant={current ? 'light' : small ? 'default' : 'subtle'}
      size={small ? 'xs' : 'sm'}
      radius={small ? 'xl' : undefined}
      leftSection={icon}
      aria-label={label}
      aria-current={current ? 'page' : undefined}
      style={{ flexShrink: 0 }}
    >
      {children}
    </Button>
  );
}

// Searches while the person types, after a pause. Works without JavaScript as a form.
function SearchField({ filter }: { filter: InboxFilter }) {
  const t = useTranslations('inbox');
  const router = useRouter();
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { search = '' } = filter;
  useEffect(() => () => clearTimeout(timer.current), []);
  // The address also changes by "back" and by a link that clears it.
  useEffect(() => {
    if (field.current && document.activeElement !== field.current) field.current.value = search;
  }, [search]);
  const apply = () => {
    clearTimeout(timer.current);
    const words = field.current?.value.trim() ?? '';
    if (words === search) return;
    const address = pageAddress({ ...filter, search: words || undefined });
    router[search ? 'replace' : 'push'](address, { scroll: false });
  };
  return (
    <search className="inbox-search">
      <form
        action="/portal/notifications"
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        {filter.unread && <input type="hidden" name="filter" value="unread" />}
        {filter.toConfirm && <input type="hidden" name="filter" value="confirm" />}
        {filter.place && <input type="hidden" name="filter" value={filter.place} />}
        {filter.sender && <input type="hidden" name="sender" value={asSenderText(filter.sender)} />}
        {filter.kind && <input type="hidden" name="kind" value={filter.kind} />}
        <TextInput
          ref={field}
          type="search"
          name="search"
          aria-label={t('search')}
          placeholder={t('search')}
          defaultValue={search}
          onChange={() => {
            clearTimeout(timer.current);
            timer.current = setTimeout(apply, typingMs);
          }}
          leftSection={<Search aria-hidden size={18} />}
          maxLength={maxSearchLength}
        />
      </form>
    </search>
  );
}
