import { Anchor, Group, Text } from '@mantine/core';
import { ScrollText } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { AuditFilters } from '#app/owner/audit/audit-filters.tsx';
import { AuditList } from '#app/owner/audit/audit-list.tsx';
import { AuditTabs } from '#app/owner/audit/audit-tabs.tsx';
import {
  type AuditSearch,
  asAuditFilter,
  auditAddress,
  readAuditSearch,
  requestProblem,
} from '#app/owner/audit/read-filter.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { RowsPlace } from '#app/ui/lists/list-place.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { listAudit } from '#server/audit/list.ts';
import type { Owner } from '#server/principals.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('audit'))('title') };
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function Audit({ searchParams }: Props) {
  const search = readAuditSearch(await searchParams);
  const owner = await requireOwner(auditAddress(search));
  const t = await getTranslations('audit');
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <AuditTabs current="audit" />
      <AuditFilters owner={owner} search={search} />
      <Suspense key={auditAddress(search)} fallback={<RowsPlace rows={10} height={48} />}>
        <Entries owner={owner} search={search} />
      </Suspense>
    </>
  );
}

async function Entries({ owner, search }: { owner: Owner; search: AuditSearch }) {
  const t = await getTranslations('audit');
  const filter = await getTranslations('filter');
  const before = search.before ? Number(search.before) : undefined;
  const { entries, next, searchedTo } = await listAudit(owner, { before, filter: await asAuditFilter(owner, search) });
  return (
    <>
      {entries.length === 0 ? <Nothing search={search} /> : <AuditList entries={entries} />}
      {searchedTo && (
        <Text c="dimmed" mt="md">
          {t.rich('searchedTo', { when: () => <Moment at={searchedTo} /> })}
        </Text>
      )}
      <Group mt="md" gap="xl">
        {before !== undefined && <TextLink href={auditAddress(search, { before: '' })}>{filter('newest')}</TextLink>}
        {next !== null && (
          <TextLink href={auditAddress(search, { before: String(next) })}>
            {searchedTo ? t('searchOn') : filter('older')}
          </TextLink>
        )}
        {entries.length > 0 && (
          <Anchor href={auditAddress(search, { before: '' }, '/owner/audit/csv')} download py={10}>
            {filter('csv')}
          </Anchor>
        )}
      </Group>
    </>
  );
}

async function Nothing({ search }: { search: AuditSearch }) {
  const t = await getTranslations('audit');
  const filter = await getTranslations('filter');
  const icon = <ScrollText aria-hidden size={32} />;
  if (search.request) {
    const { request } = search;
    return (
      <EmptyState icon={icon} title={t('noRequest')} text={t(requestProblem(request))}>
        <TextLink href={`/owner/audit/refused?request=${encodeURIComponent(request)}`}>{t('searchRefused')}</TextLink>
      </EmptyState>
    );
  }
  if (auditAddress(search) !== '/owner/audit') return <EmptyState icon={icon} text={filter('nothing')} />;
  return <EmptyState icon={icon} title={t('empty')} text={t('emptyText')} />;
}
