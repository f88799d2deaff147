import { Alert, Text } from '@mantine/core';
import { ShieldCheck } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import {
  asRejectedFilter,
  getRejectedRequestTexts,
  loggedCodes,
  type RejectedQuery,
  type RejectedRequestText,
  rejectedQuery,
} from '#app/owner/audit/refused/rejected-request-texts.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { FactRows } from '#app/ui/lists/facts.tsx';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { EmptyState, ListFoot } from '#app/ui/lists/list-parts.tsx';
import { addressOf, hasFilter, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { Cell, ListDetail, ListRow, ListTable, Note } from '#app/ui/lists/list-table.tsx';
import { RepeatGroup, RepeatToggle } from '#app/ui/lists/repeat-group.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findRetention } from '#server/companies/companies.ts';
import { listKeys } from '#server/keys/keys.ts';
import { countNotKept, listRejectedRequests, type RejectedRequest } from '#server/keys/rejected-requests.ts';
import type { Owner } from '#server/principals.ts';

const path = '/owner/audit/refused';

export const generateMetadata = titled('refusals', 'title');

export default async function RejectedRequestsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = readQuery(rejectedQuery, await searchParams);
  const owner = await requireOwner(addressOf(path, query));
  const t = await getTranslations('refusals');
  return (
    <>
      <PageHead compact title={t('title')} />
      <Filters owner={owner} query={query} />
      <RejectedRequests owner={owner} query={query} />
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

async function RejectedRequests({ owner, query: { before, ...query } }: { owner: Owner; query: RejectedQuery }) {
  const t = await getTranslations('refusals');
  const filter = asRejectedFilter(owner, query);
  if (filter === 'not-a-request-id') return <Alert color="yellow">{t('requestInvalid')}</Alert>;
  const textOf = await getRejectedRequestTexts();
  const [{ refusals: rejected, hasMore }, notKept, { keepRefusalsDays: days }] = await Promise.all([
    listRejectedRequests(owner, filter, { before }),
    countNotKept(owner, filter),
    findRetention(owner),
  ]);
  const nothing = { title: t('empty'), text: t('emptyText'), isFiltered: hasFilter(query) };
  if (rejected.length === 0 && notKept === 0) return <EmptyState icon={<ShieldCheck size={32} />} {...nothing} />;
  const columns = [
    { name: t('time'), width: '7.75rem' },
    { name: t('key'), width: 'minmax(0, 1fr)' },
    { name: t('why'), width: 'minmax(0, 2.6fr)' },
    { name: t('moreColumn'), width: '9.375rem', wide: true },
  ];
  return (
    <>
      {notKept > 0 && (
        <Text size="sm" data-not-kept={notKept}>
          {t('notKept', { count: notKept })} <span className="fine-print">{t('notKeptText')}</span>
        </Text>
      )}
      <ListTable label={t('title')} columns={columns}>
        {rejected.map((refused) => (
          <RejectedRequestRow key={refused.id} refused={{ ...refused, ...textOf(refused) }} />
        ))}
      </ListTable>
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

async function RejectedRequestRow({ refused }: { refused: RejectedRequest & RejectedRequestText }) {
  const t = await getTranslations('refusals');
  const { reason, cure, status, at, code, keyName, more, operation, address, client, requestId } = refused;
  const row = (
    <ListRow data-refused={code}>
      <Cell at="aside" time={at} />
      <Cell at="second">
        <bdi>{keyName ?? t('noKey')}</bdi>
        {more > 0 && <span className="mantine-hidden-from-sm list-note">{t('more', { count: more })}</span>}
      </Cell>
      <Cell at="main">
        <RepeatToggle>{reason}</RepeatToggle>
        <span className="list-sub">{cure}</span>
      </Cell>
      <Cell wide>{more > 0 && <Note tone="attention">{t('more', { count: more })}</Note>}</Cell>
    </ListRow>
  );
  return (
    <RepeatGroup head={row}>
      <ListDetail>
        <FactRows
          rows={[
            { name: t('cure'), value: cure },
            { name: t('time'), value: <Timestamp at={at} /> },
            { name: t('status'), value: status },
            { name: t('operation'), value: <code>{operation}</code> },
            { name: t('from'), value: address },
            { name: t('client'), value: client || t('unknownClient') },
            { name: t('request'), value: <code>{requestId}</code> },
          ]}
        />
      </ListDetail>
    </RepeatGroup>
  );
}
