import { Button, Group, Text } from '@mantine/core';
import { Send as SendIcon } from 'lucide-react';
import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { SendFilters } from '#app/owner/sends/(list)/send-filters.tsx';
import { asSendFilter, sendQuery } from '#app/owner/sends/send-query.ts';
import { SendTable } from '#app/owner/sends/send-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf, hasFilter } from '#app/ui/lists/address.ts';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { PageLinks } from '#app/ui/lists/page-links.tsx';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { listKeys } from '#server/keys/keys.ts';
import { listSends } from '#server/sends/list.ts';
import { countOutcomes } from '#server/sends/outcomes.ts';
import { findPossibleRecipient } from '#server/sends/possible-recipients.ts';

const path = '/owner/sends';
const pageSize = 25;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('sends'))('title') };
}

export default async function Sends({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { before, ...query } = readQuery(sendQuery, await searchParams);
  const owner = await requireOwner(addressOf(path, { ...query, before }));
  const [t, filterTexts, locale, keys, selectedEmployee, { sends, next }] = await Promise.all([
    getTranslations('sends'),
    getTranslations('filter'),
    getLocale(),
    listKeys(owner),
    query.employee === undefined ? null : findPossibleRecipient(owner, query.employee),
    listSends(owner, { before, filter: asSendFilter(query), limit: pageSize }),
  ]);
  const outcomesPromise = countOutcomes(
    owner,
    sends.map(({ no }) => no),
  );
  // True when the search stopped early. The next page continues it.
  const isPartial = next !== null && sends.length < pageSize;
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <ButtonLink href={`${path}/new`} icon={<SendIcon aria-hidden size={18} />}>
          {t('compose')}
        </ButtonLink>
      </PageHead>
      <SendFilters
        key={JSON.stringify(query)}
        query={query}
        keys={keys.map(({ id, name }) => ({ id, name }))}
        person={selectedEmployee}
      />
      {sends.length > 0 && <SendTable sends={sends} outcomes={outcomesPromise} />}
      {sends.length === 0 && next === null && <NoSends isFiltered={before !== undefined || hasFilter(query)} />}
      {isPartial && <Text mt="md">{t('searchedSoFar')}</Text>}
      <PageLinks
        first={before !== undefined && addressOf(path, query)}
        next={next !== null && addressOf(path, { ...query, before: next })}
        nextText={isPartial ? t('continue') : undefined}
      />
      <Group mt="md" gap="md">
        <Button component="a" href={addressOf(`${path}/csv`, query)} download variant="default" lang={locale}>
          {filterTexts('csv')}
        </Button>
        <TextLink href={`${path}/rules`}>{t('rules')}</TextLink>
      </Group>
    </>
  );
}

async function NoSends({ isFiltered }: { isFiltered: boolean }) {
  const t = await getTranslations();
  const icon = <SendIcon aria-hidden size={32} />;
  if (isFiltered) return <EmptyState icon={icon} text={t('filter.nothing')} />;
  return <EmptyState icon={icon} title={t('sends.empty')} text={t('sends.emptyText')} />;
}
