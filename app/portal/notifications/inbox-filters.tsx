'use client';

import { Button, Group, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { FormEvent, ReactNode } from 'react';
import { pageAddress } from '#app/portal/inbox/inbox-address.ts';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { KindIcon } from '#app/portal/notification/kind-icon.tsx';
import { shortCount } from '#app/portal/notification/unread-count.ts';
import { readForm } from '#app/ui/forms/use-action.ts';
import { maxSearchLength } from '#app/ui/lists/address.ts';
import { PageLink } from '#app/ui/text/page-link.tsx';
import type { InboxFilter } from '#server/inbox/inbox.ts';
import { kinds } from '#server/notifications/kinds.ts';

/**
 * The filters of the list: unread, kind and search. Each is a link or a form with an address, so
 * that reload, back and sharing keep them.
 */
export function InboxFilters({ filter }: { filter: InboxFilter }) {
  const t = useTranslations('inbox');
  const { unread } = usePortalState();
  return (
    <>
      <Group gap="xs" mb="xs" justify="space-between">
        <Group gap="xs" component="nav" aria-label={t('filters')}>
          <Tab to={{ ...filter, unread: undefined }} current={!filter.unread}>
            {t('all')}
          </Tab>
          <Tab to={{ ...filter, unread: true }} current={filter.unread === true}>
            {unread.count > 0 ? `${t('unread')} (${shortCount(unread.count)})` : t('unread')}
          </Tab>
        </Group>
        <SearchField filter={filter} />
      </Group>
      <Group gap={6} mb="md" component="nav" aria-label={t('byKind')} className="kinds">
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
    </>
  );
}

function Tab({
  to,
  current,
  small = false,
  icon,
  children,
}: {
  to: InboxFilter;
  current: boolean;
  small?: boolean;
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Button
      component={PageLink}
      href={pageAddress(to)}
      variant={current ? 'light' : small ? 'default' : 'subtle'}
      size={small ? 'xs' : 'sm'}
      radius={small ? 'xl' : undefined}
      leftSection={icon}
      aria-current={current ? 'page' : undefined}
      style={{ flexShrink: 0 }}
    >
      {children}
    </Button>
  );
}

function SearchField({ filter }: { filter: InboxFilter }) {
  const t = useTranslations('inbox');
  const router = useRouter();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { search } = readForm(event.currentTarget);
    router.push(pageAddress({ ...filter, search: search?.trim() || undefined }));
  };
  return (
    <search>
      <form action="/portal/notifications" onSubmit={submit}>
        {filter.unread && <input type="hidden" name="filter" value="unread" />}
        {filter.kind && <input type="hidden" name="kind" value={filter.kind} />}
        <TextInput
          type="search"
          name="search"
          aria-label={t('search')}
          placeholder={t('search')}
          defaultValue={filter.search}
          leftSection={<Search aria-hidden size={18} />}
          maxLength={maxSearchLength}
          w={{ base: '100%', xs: 260 }}
        />
      </form>
    </search>
  );
}
