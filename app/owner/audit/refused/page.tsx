import { Alert, Text } from '@mantine/core';
import { ShieldCheck } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { RejectedRequestList } from '#app/owner/audit/refused/rejected-request-list.tsx';
import {
  asRejectedFilter,
  loggedCodes,
  type RejectedQuery,
  rejectedQuery,
} from '#app/owner/audit/refused/rejected-request-texts.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { EmptyState, ListFoot } from '#app/ui/lists/list-parts.tsx';
import { addressOf, hasFilter, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { titled } from '#app/ui/text/texts.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findRetention } from '#server/companies/retention.ts';
import { listKeys } from '#server/keys/keys.ts';
import { countNotKept, listRejectedRequests, type RejectedRequestFilter } from '#server/keys/rejected-requests.ts';
import type { Owner } from '#server/principals.ts';

const path = '/owner/audit/refused';

export const generateMetadata = titled('refusals', 'title');

export default async function RejectedRequestsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = readQuery(rejectedQuery, await searchParams);
  const owner = await requireOwner(addressOf(path, query));
  const [t, { keepRefusalsDays: days }] = await Promise.all([getTranslations('refusals'), findRetention(owner)]);
  const filter = asRejectedFilter(owner, query);
  return (
    <>
      <PageHead compact title={t('title')} />
      <Filters owner={owner} query={query} />
      {filter === 'not-a-request-id' ? (
        <Alert color="yellow">{t('requestInvalid')}</Alert>
      ) : (
        <RejectedRequests owner={owner} query={query} filter={filter} days={days} />
      )}
    </>
  );
}

async function Filters({ owner, query }: { owner: Owner; query: RejectedQuery }) {
  const t = await getTranslations('refusals');
  const keys = (await listKeys(owner)).map(({ id, name, revokedAt }) => ({
    value: String(id),
    label: revokedAt ? t('revokedKey', { name }) : name,
  }));
  const reasons = loggedCodes.map((value) => ({ value, label: t(`reasonOf.${value}`) }));
  reasons.sort((a, b) => a.label.localeCompare(b.label));
  const noKey = { value: 'none', label: t('noKey') };
  return (
    <FilterBar
      search={{ name: 'request', label: t('request'), placeholder: t('requestHint'), value: query.request }}
      filters={[
        { type: 'select', name: 'key', label: t('key'), value: query.key, choices: [noKey, ...keys] },
        { type: 'select', name: 'reason', label: t('reason'), value: query.reason, choices: reasons },
        { type: 'days', label: t('day'), value: { days: query.days, from: query.from, to: query.to } },
      ]}
    />
  );
}

type RejectedRequestsProps = { owner: Owner; query: RejectedQuery; filter: RejectedRequestFilter; days: number };

async function RejectedRequests({ owner, query: { before, ...query }, filter, days }: RejectedRequestsProps) {
  const t = await getTranslations('refusals');
  const [{ refusals: rejected, hasMore }, notKept] = await Promise.all([
    listRejectedRequests(owner, filter, { before }),
    countNotKept(owner, filter),
  ]);
  const nothing = { title: t('empty'), text: t('emptyText'), isFiltered: hasFilter(query) };
  if (rejected.length === 0 && notKept === 0) return <EmptyState icon={<ShieldCheck size={32} />} {...nothing} />;
  return (
    <>
      {notKept > 0 && (
        <Text size="sm" data-not-kept={notKept}>
          {t('notKept', { count: notKept })} <span className="fine-print">{t('notKeptText')}</span>
        </Text>
      )}
      <RejectedRequestList refusals={rejected} />
      <ListFoot
        rowCount={rejected.length}
        first={before !== undefined && addressOf(path, query)}
        next={hasMore && addressOf(path, { ...query, before: rejected.at(-1)?.id })}
      >
        <span>{t('lead', { days })}</span>
      </ListFoot>
    </>
  );
}
