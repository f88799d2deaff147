import { Alert, Anchor, Group, Text } from '@mantine/core';
import { ShieldCheck } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AuditTabs } from '#app/owner/audit/audit-tabs.tsx';
import { type ReadFilter, readRefusalFilter, refusalAddress } from '#app/owner/audit/refused/refusal-filter.ts';
import { RefusalFilters } from '#app/owner/audit/refused/refusal-filters.tsx';
import { RefusalList } from '#app/owner/audit/refused/refusal-list.tsx';
import { notedCodes } from '#app/owner/audit/refused/refusal-words.ts';
import { RequestNote } from '#app/owner/audit/refused/request-note.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { findRetention } from '#server/companies/retention.ts';
import { listKeys } from '#server/keys/keys.ts';
import { listRefusals } from '#server/keys/refusals.ts';
import type { Owner } from '#server/principals.ts';

const path = '/owner/audit/refused';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('refusals'))('title') };
}

type Search = Record<string, string | string[] | undefined>;

export default async function RefusedCalls({ searchParams }: { searchParams: Promise<Search> }) {
  const search = await searchParams;
  const read = readRefusalFilter(search);
  const owner = await requireOwner(refusalAddress(path, read.filter, read.before));
  const t = await getTranslations('refusals');
  const request = typeof search.request === 'string' ? search.request.trim() : '';
  return (
    <>
      <PageHead title={t('title')} lead={t('lead', { days: (await findRetention(owner)).keepRefusalsDays })} />
      <AuditTabs current="refused" />
      <Filters owner={owner} read={read} request={request} />
      {read.invalidRequest ? <Alert color="yellow">{t('requestInvalid')}</Alert> : <Listed owner={owner} read={read} />}
    </>
  );
}

async function Filters({ owner, read, request }: { owner: Owner; read: ReadFilter; request: string }) {
  const t = await getTranslations('refusals');
  const { key, code, day } = read.filter;
  const keys = (await listKeys(owner)).map(({ id, name, revokedAt }) => ({
    value: String(id),
    label: revokedAt ? t('revokedKey', { name }) : name,
  }));
  const reasons = notedCodes.map((value) => ({ value, label: t(`reasonOf.${value}`) }));
  reasons.sort((a, b) => a.label.localeCompare(b.label));
  const chosen = { key: String(key ?? ''), reason: code ?? '', day: day ?? '', request };
  return <RefusalFilters keys={keys} reasons={reasons} chosen={chosen} />;
}

async function Listed({ owner, read: { filter, before } }: { owner: Owner; read: ReadFilter }) {
  const t = await getTranslations('refusals');
  const words = await getTranslations('filter');
  const { refusals, more } = await listRefusals(owner, filter, { before });
  if (refusals.length === 0) return <Nothing owner={owner} filter={filter} />;
  return (
    <>
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {t('listed', { count: refusals.length })}
        </Text>
        <Anchor href={refusalAddress(`${path}/csv`, filter)} download py={10}>
          {words('csv')}
        </Anchor>
      </Group>
      <RefusalList refusals={refusals} />
      <Group mt="md" gap="xl">
        {before !== undefined && <TextLink href={refusalAddress(path, filter)}>{words('newest')}</TextLink>}
        {more && <TextLink href={refusalAddress(path, filter, refusals.at(-1)?.id)}>{words('older')}</TextLink>}
      </Group>
    </>
  );
}

async function Nothing({ owner, filter }: { owner: Owner } & Pick<ReadFilter, 'filter'>) {
  const t = await getTranslations('refusals');
  const words = await getTranslations('filter');
  if (filter.requestId) {
    const { keepRefusalsDays } = await findRetention(owner);
    return <RequestNote requestId={filter.requestId} path={path} days={keepRefusalsDays} />;
  }
  if (Object.values(filter).some((value) => value !== undefined)) return <Text c="dimmed">{words('nothing')}</Text>;
  return <EmptyState icon={<ShieldCheck aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />;
}
