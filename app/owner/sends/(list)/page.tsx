import { Text } from '@mantine/core';
import { Send as SendIcon } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { asSendFilter, type SendQuery, sendQuery } from '#app/owner/sends/send-query.ts';
import { SendTable } from '#app/owner/sends/send-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { CsvLink, EmptyState, ListFoot } from '#app/ui/lists/list-parts.tsx';
import { addressOf, hasFilter, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { listKeys } from '#server/keys/keys.ts';
import { kinds } from '#server/notifications/kinds.ts';
import type { Manager } from '#server/principals.ts';
import { countOutcomes } from '#server/sends/history/outcomes.ts';
import { countSends, listSends } from '#server/sends/history/send-list.ts';
import { sendStates } from '#server/sends/history/states.ts';
import { findPossibleRecipient } from '#server/sends/manual/possible-recipients.ts';

const path = '/owner/sends';
const pageSize = 25;

export const generateMetadata = titled('sends', 'title');

export default async function Sends({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { before, ...query } = readQuery(sendQuery, await searchParams);
  const manager = await requireManager(addressOf(path, { ...query, before }));
  const isFiltered = hasFilter(query);
  const isWhole = before === undefined && !isFiltered;
  const [t, { sends, next }, count] = await Promise.all([
    getTranslations('sends'),
    listSends(manager, { before, filter: asSendFilter(manager, query), limit: pageSize }),
    // Sends that match a filter are not counted: that would read all of them.
    isFiltered ? null : countSends(manager, before),
  ]);
  const numbers = sends.map(({ no }) => no);
  const outcomes = countOutcomes(manager, numbers);
  // True when the search stopped early. The next page continues it.
  const isPartial = next !== null && sends.length < pageSize;
  return (
    <>
      <PageHead
        compact
        title={t('title')}
        lead={count && <span role="status">{t('total', { count: count.counted, more: String(count.more) })}</span>}
      >
        <ButtonLink
          href={`${path}/new`}
          icon={<SendIcon />}
          text={
            <>
              <span className="mantine-visible-from-sm">{t('compose')}</span>
              <span className="mantine-hidden-from-sm">{t('composeShort')}</span>
            </>
          }
        />
        <CsvLink href={addressOf(`${path}/csv`, query)} />
      </PageHead>
      <SendFilters manager={manager} query={query} />
      {sends.length > 0 && <SendTable sends={sends} outcomes={outcomes} />}
      {sends.length === 0 && next === null && (
        <EmptyState icon={<SendIcon size={32} />} title={t('empty')} text={t('emptyText')} isFiltered={!isWhole} />
      )}
      {isPartial && <Text mt="md">{t('searchedSoFar')}</Text>}
      <ListFoot
        from={count ? count.newer + 1 : undefined}
        rowCount={sends.length}
        total={count ?? undefined}
        first={before !== undefined && addressOf(path, query)}
        next={next !== null && addressOf(path, { ...query, before: next })}
        nextText={isPartial ? t('continue') : undefined}
      />
    </>
  );
}

async function SendFilters({ manager, query }: { manager: Manager; query: SendQuery }) {
  const { sender, kind, state, days, from, to, employee, search } = query;
  const [t, keys, person] = await Promise.all([
    getTranslations(),
    listKeys(manager),
    employee === undefined ? null : findPossibleRecipient(manager, employee),
  ]);
  const senders = [
    { value: 'hand', label: t('sends.filterHand') },
    ...keys.map(({ id, name }) => ({ value: String(id), label: t('sends.byKey', { name }) })),
  ];
  const ofKind = kinds.map((value) => ({ value, label: t(`inbox.kind.${value}`) }));
  const states = sendStates.map((value) => ({ value, label: t(`sends.state.${value}`) }));
  const name = person?.name ?? String(employee);
  return (
    <FilterBar
      search={{ name: 'search', label: t('sends.filterSearch'), value: search }}
      filters={[
        { type: 'select', name: 'sender', label: t('sends.filterSender'), value: sender, choices: senders },
        { type: 'select', name: 'kind', label: t('sends.filterKind'), value: kind, choices: ofKind },
        { type: 'select', name: 'state', label: t('sends.filterState'), value: state, choices: states },
        { type: 'days', label: t('sends.filterDay'), value: { days, from, to } },
        { type: 'link', name: 'employee', label: t('sends.filterPerson'), value: employee, text: name },
      ]}
    />
  );
}
