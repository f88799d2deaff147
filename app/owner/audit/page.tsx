import { Text } from '@mantine/core';
import { ScrollText } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { AuditFilters } from '#app/owner/audit/audit-filters.tsx';
import { AuditList } from '#app/owner/audit/audit-list.tsx';
import {
  type AuditQuery,
  asAuditFilter,
  auditQuery,
  findRequestProblem,
  requestOf,
} from '#app/owner/audit/audit-query.ts';
import { AuditTabs } from '#app/owner/audit/audit-tabs.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf, hasFilter } from '#app/ui/lists/address.ts';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { ListFoot } from '#app/ui/lists/list-foot.tsx';
import { RowsPlace } from '#app/ui/lists/list-place.tsx';
import { readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { listAudit } from '#server/audit/list.ts';
import type { Owner } from '#server/principals.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('audit'))('title') };
}

const path = '/owner/audit';

export default async function Audit({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = readQuery(auditQuery, await searchParams);
  const owner = await requireOwner(addressOf(path, query));
  const t = await getTranslations('audit');
  return (
    <>
      <PageHead compact title={t('title')}>
        <AuditTabs current="audit" />
      </PageHead>
      <AuditFilters owner={owner} query={query} />
      <Suspense fallback={<RowsPlace rows={12} height={46} />}>
        <Entries owner={owner} query={query} />
      </Suspense>
    </>
  );
}

async function Entries({ owner, query: { before, ...query } }: { owner: Owner; query: AuditQuery }) {
  const t = await getTranslations('audit');
  const { entries, next, searchedTo } = await listAudit(owner, { before, filter: await asAuditFilter(owner, query) });
  return (
    <>
      {entries.length > 0 && <AuditList entries={entries} />}
      {entries.length === 0 && <NoEntries query={query} isFiltered={before !== undefined || hasFilter(query)} />}
      {searchedTo && (
        <Text c="dimmed" mt="md">
          {t.rich('searchedTo', { when: () => <Moment at={searchedTo} /> })}
        </Text>
      )}
      <ListFoot
        shown={entries.length}
        first={before !== undefined && addressOf(path, query)}
        next={next !== null && addressOf(path, { ...query, before: next })}
        nextText={searchedTo ? t('searchOn') : undefined}
        csv={entries.length > 0 && addressOf(`${path}/csv`, query)}
      >
        <span>{t('lead')}</span>
      </ListFoot>
    </>
  );
}

async function NoEntries({ query, isFiltered }: { query: AuditQuery; isFiltered: boolean }) {
  const request = requestOf(query);
  const t = await getTranslations('audit');
  const filter = await getTranslations('filter');
  const icon = <ScrollText aria-hidden size={32} />;
  if (request)
    return (
      <EmptyState icon={icon} title={t('noRequest')} text={t(findRequestProblem(request))}>
        <TextLink href={addressOf(`${path}/refused`, { request })}>{t('searchRefused')}</TextLink>
      </EmptyState>
    );
  if (isFiltered) return <EmptyState icon={icon} text={filter('nothing')} />;
  return <EmptyState icon={icon} title={t('empty')} text={t('emptyText')} />;
}
