import { Text } from '@mantine/core';
import { Send as SendIcon } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { SendFilters } from '#app/owner/sends/(list)/send-filters.tsx';
import { asSendFilter, sendQuery } from '#app/owner/sends/send-query.ts';
import { SendTable } from '#app/owner/sends/send-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { CsvLink, EmptyState, ListFoot } from '#app/ui/lists/list-parts.tsx';
import { addressOf, hasFilter, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { listKeys } from '#server/keys/keys.ts';
import { countOutcomes } from '#server/sends/history/outcomes.ts';
import { countSends, listSends } from '#server/sends/history/send-list.ts';
import { findPossibleRecipient } from '#server/sends/manual/possible-recipients.ts';

const path = '/owner/sends';
const pageSize = 25;

export const generateMetadata = titled('sends', 'title');

export default async function Sends({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { before, ...query } = readQuery(sendQuery, await searchParams);
  const manager = await requireManager(addressOf(path, { ...query, before }));
  const isFiltered = hasFilter(query);
  const isWhole = before === undefined && !isFiltered;
  const [t, keys, selectedEmployee, { sends, next }, count] = await Promise.all([
    getTranslations('sends'),
    listKeys(manager),
    query.employee === undefined ? null : findPossibleRecipient(manager, query.employee),
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
        <ButtonLink href={`${path}/new`} icon={<SendIcon />}>
          <span className="mantine-visible-from-sm">{t('compose')}</span>
          <span className="mantine-hidden-from-sm">{t('composeShort')}</span>
        </ButtonLink>
        <CsvLink href={addressOf(`${path}/csv`, query)} />
      </PageHead>
      <SendFilters query={query} keys={keys} person={selectedEmployee} />
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
