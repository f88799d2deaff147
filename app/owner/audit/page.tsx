import { Text } from '@mantine/core';
import { ScrollText } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { titled } from '#app/language/page-title.ts';
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
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { ListFoot } from '#app/ui/lists/list-foot.tsx';
import { RowsPlace } from '#app/ui/lists/list-place.tsx';
import { readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/links.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { listAudit, listAuditNames } from '#server/audit/list.ts';
import { auditActions } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

export const generateMetadata = titled('audit', 'title');

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
          {t.rich('searchedTo', { when: () => <Timestamp at={searchedTo} /> })}
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

/** The filters of the audit log. */
async function AuditFilters({ owner, query }: { owner: Owner; query: AuditQuery }) {
  const t = await getTranslations('audit');
  const person = /^person-(\d+)$/.exec(query.who ?? '')?.[1];
  const { keys, people } = await listAuditNames(owner, person === undefined ? undefined : Number(person));
  const keyNames = keys.map(({ id, name, revoked }) => ({ id, label: revoked ? t('revokedKey', { name }) : name }));
  const who = [
    ...(['key', 'person', 'system', 'operator'] as const).map((value) => ({ value, label: t(`by.${value}`) })),
    { group: t('people'), items: people.map(({ id, name }) => ({ value: `person-${id}`, label: name })) },
    { group: t('keys'), items: keyNames.map(({ id, label }) => ({ value: `key-${id}`, label })) },
  ].filter((one) => !('items' in one) || one.items.length > 0);
  const actions = [
    { value: 'change', label: t('action.change') },
    ...auditActions.map((value) => ({ value, label: t(`action.${value}`) })),
  ];
  const results = [
    { value: 'reached', label: t('reached') },
    { value: 'nobody', label: t('nobody') },
  ];
  return (
    <FilterBar
      search={{ name: 'employee', label: t('employee'), placeholder: t('searchHint'), value: query.employee }}
      filters={[
        { type: 'select', name: 'who', label: t('who'), value: query.who, choices: who },
        { type: 'select', name: 'action', label: t('what'), value: query.action, choices: actions },
        {
          type: 'select',
          name: 'key',
          label: t('aboutKey'),
          value: query.key,
          choices: keyNames.map(({ id, label }) => ({ value: String(id), label })),
        },
        { type: 'select', name: 'result', label: t('result'), value: query.result, choices: results },
        { type: 'days', label: t('day'), value: { days: query.days, from: query.from, to: query.to } },
        ...(query.request === undefined
          ? []
          : [{ type: 'text' as const, name: 'request', label: t('request'), value: query.request }]),
      ]}
    />
  );
}
