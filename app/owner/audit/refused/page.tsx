import { Alert, Text } from '@mantine/core';
import { ShieldCheck } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AuditTabs } from '#app/owner/audit/audit-tabs.tsx';
import { RefusalFilters } from '#app/owner/audit/refused/refusal-filters.tsx';
import { RefusalList } from '#app/owner/audit/refused/refusal-list.tsx';
import { asRefusalFilter, type RefusalQuery, refusalQuery } from '#app/owner/audit/refused/refusal-query.ts';
import { loggedCodes } from '#app/owner/audit/refused/refusal-texts.ts';
import { RequestNote } from '#app/owner/audit/refused/request-note.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf, hasFilter } from '#app/ui/lists/address.ts';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { ListFoot } from '#app/ui/lists/list-foot.tsx';
import { readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { requireOwner } from '#server/accounts/require.ts';
import { findRetention } from '#server/companies/retention.ts';
import { listKeys } from '#server/keys/keys.ts';
import { countNotKept, listRefusals, type RefusalFilter } from '#server/keys/refusals.ts';
import type { Owner } from '#server/principals.ts';

const path = '/owner/audit/refused';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('refusals'))('title') };
}

export default async function RefusedCallsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = readQuery(refusalQuery, await searchParams);
  const owner = await requireOwner(addressOf(path, query));
  const [t, { keepRefusalsDays: days }] = await Promise.all([getTranslations('refusals'), findRetention(owner)]);
  const filter = asRefusalFilter(owner, query);
  return (
    <>
      <PageHead compact title={t('title')}>
        <AuditTabs current="refused" />
      </PageHead>
      <Filters owner={owner} query={query} />
      {filter === 'not-a-request-id' ? (
        <Alert color="yellow">{t('requestInvalid')}</Alert>
      ) : (
        <RefusedCallList owner={owner} query={query} filter={filter} days={days} />
      )}
    </>
  );
}

async function Filters({ owner, query }: { owner: Owner; query: RefusalQuery }) {
  const t = await getTranslations('refusals');
  const keys = (await listKeys(owner)).map(({ id, name, revokedAt }) => ({
    value: String(id),
    label: revokedAt ? t('revokedKey', { name }) : name,
  }));
  const reasons = loggedCodes.map((value) => ({ value, label: t(`reasonOf.${value}`) }));
  reasons.sort((a, b) => a.label.localeCompare(b.label));
  return <RefusalFilters keys={keys} reasons={reasons} query={query} />;
}

type RefusedCallListProps = { owner: Owner; query: RefusalQuery; filter: RefusalFilter; days: number };

async function RefusedCallList({ owner, query: { before, ...query }, filter, days }: RefusedCallListProps) {
  const t = await getTranslations('refusals');
  const [{ refusals: refusedCalls, hasMore }, notKept] = await Promise.all([
    listRefusals(owner, filter, { before }),
    countNotKept(owner, filter),
  ]);
  if (refusedCalls.length === 0 && notKept === 0) return <NoRefusedCalls query={query} days={days} />;
  return (
    <>
      {notKept > 0 && (
        <Text size="sm" data-not-kept={notKept}>
          {t('notKept', { count: notKept })} <span className="fine-print">{t('notKeptText')}</span>
        </Text>
      )}
      <RefusalList refusals={refusedCalls} />
      <ListFoot
        shown={refusedCalls.length}
        first={before !== undefined && addressOf(path, query)}
        next={hasMore && addressOf(path, { ...query, before: refusedCalls.at(-1)?.id })}
        csv={addressOf(`${path}/csv`, query)}
      >
        <span>{t('lead', { days })}</span>
      </ListFoot>
    </>
  );
}

async function NoRefusedCalls({ query, days }: { query: RefusalQuery; days: number }) {
  const t = await getTranslations('refusals');
  const filterTexts = await getTranslations('filter');
  if (query.request) return <RequestNote requestId={query.request} path={path} days={days} />;
  if (hasFilter(query)) return <Text c="dimmed">{filterTexts('nothing')}</Text>;
  return <EmptyState icon={<ShieldCheck aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />;
}
