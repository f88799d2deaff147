import { Button, Group, Text } from '@mantine/core';
import { Send as SendIcon } from 'lucide-react';
import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { SendFilters } from '#app/owner/sends/(list)/send-filters.tsx';
import { asSendQuery, readSendFilter } from '#app/owner/sends/send-filter.ts';
import { SendTable } from '#app/owner/sends/send-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { type Query, readWhole, withQuery } from '#app/ui/lists/query.ts';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { listKeys } from '#server/keys/keys.ts';
import { listSends, type SendPage } from '#server/sends/list.ts';
import { countOutcomes } from '#server/sends/numbers.ts';
import { findPossibleRecipient } from '#server/sends/recipient-choices.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('sends'))('title') };
}

const path = '/owner/sends';

export default async function Sends({ searchParams }: { searchParams: Promise<Query> }) {
  const query = await searchParams;
  const filter = readSendFilter(query);
  const before = readWhole(query.before);
  const filterQuery = asSendQuery(filter);
  const owner = await requireOwner(withQuery(path, asSendQuery(filter, before)));
  const [t, locale, keys, person, page] = await Promise.all([
    getTranslations('sends'),
    getLocale(),
    listKeys(owner),
    filter.employeeId ? findPossibleRecipient(owner, filter.employeeId) : null,
    listSends(owner, { before, filter }),
  ]);
  const outcomes = countOutcomes(
    owner,
    page.sends.map(({ no }) => no),
  );
  const filtered = filterQuery !== '';
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <ButtonLink href={`${path}/new`} icon={<SendIcon aria-hidden size={18} />}>
          {t('compose')}
        </ButtonLink>
      </PageHead>
      <SendFilters
        key={filterQuery}
        filter={filter}
        keys={keys.map(({ id, name }) => ({ id, name }))}
        person={person}
      />
      {page.sends.length > 0 && <SendTable sends={page.sends} outcomes={outcomes} />}
      {page.sends.length === 0 && page.next === null && <Nothing filtered={filtered || before !== undefined} />}
      {page.next !== null && page.sends.length < 25 && <Text mt="md">{t('searchedSoFar')}</Text>}
      <Paging
        page={page}
        query={filterQuery}
        older={(next) => asSendQuery(filter, next)}
        first={before === undefined}
      />
      <Group mt="md" gap="md">
        <Button component="a" href={withQuery(`${path}/csv`, filterQuery)} download variant="default" lang={locale}>
          <CsvText />
        </Button>
        <TextLink href={`${path}/rules`}>{t('rules')}</TextLink>
      </Group>
    </>
  );
}

async function CsvText() {
  return (await getTranslations('filter'))('csv');
}

async function Paging({
  page,
  query,
  older,
  first,
}: {
  page: SendPage;
  query: string;
  older: (next: number) => string;
  first: boolean;
}) {
  const t = await getTranslations();
  return (
    <Group mt="md" gap="xl">
      {!first && <TextLink href={withQuery(path, query)}>{t('filter.newest')}</TextLink>}
      {page.next !== null && (
        <TextLink href={withQuery(path, older(page.next))}>
          {page.sends.length < 25 ? t('sends.continue') : t('filter.older')}
        </TextLink>
      )}
    </Group>
  );
}

async function Nothing({ filtered }: { filtered: boolean }) {
  const t = await getTranslations();
  const icon = <SendIcon aria-hidden size={32} />;
  if (filtered) return <EmptyState icon={icon} text={t('filter.nothing')} />;
  return <EmptyState icon={icon} title={t('sends.empty')} text={t('sends.emptyText')} />;
}
