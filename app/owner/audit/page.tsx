import { Group, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AuditList } from '#app/owner/audit/audit-list.tsx';
import { AuditTabs } from '#app/owner/audit/audit-tabs.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { TextLink } from '#app/ui/text-link.tsx';
import { listAudit } from '#server/audit.ts';
import { requireOwner } from '#server/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('audit'))('title') };
}

export default async function Audit({ searchParams }: { searchParams: Promise<{ before?: string | string[] }> }) {
  const owner = await requireOwner('/owner/audit');
  const t = await getTranslations('audit');
  const { before: asked } = await searchParams;
  const before = typeof asked === 'string' && /^\d{1,15}$/.test(asked) ? Number(asked) : undefined;
  const { entries, more } = await listAudit(owner, { before });
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')} />
      <AuditTabs current="audit" />
      {entries.length === 0 ? <Text c="dimmed">{t('empty')}</Text> : <AuditList entries={entries} />}
      <Group mt="md" gap="xl">
        {before !== undefined && <TextLink href="/owner/audit">{t('newest')}</TextLink>}
        {more && <TextLink href={`/owner/audit?before=${entries.at(-1)?.id}`}>{t('older')}</TextLink>}
      </Group>
    </>
  );
}
