import { Card, Group, Stack } from '@mantine/core';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { makeDescriber } from '#app/owner/audit/describe.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { FactRows, TechnicalFacts } from '#app/ui/lists/facts.tsx';
import { NumberText } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findAuditEntry } from '#server/audit/list.ts';

export const generateMetadata = titled('audit', 'entry');

export default async function AuditEntryPage({ params }: PageProps<'/owner/audit/[id]'>) {
  const { id } = await params;
  const owner = await requireOwner(`/owner/audit/${encodeURIComponent(id)}`);
  const entryId = NumberText.safeParse(id).data;
  const entry = entryId === undefined ? null : await findAuditEntry(owner, entryId);
  if (!entry) notFound();
  const t = await getTranslations('audit');
  const describe = await makeDescriber();
  const { keyId, employeeId, details, action } = entry;
  const isSend = action.startsWith('notification.') && typeof details.no === 'number';
  return (
    <Stack maw={720} gap="xs">
      <PageHead
        back={{ href: '/owner/audit', text: t('back') }}
        title={t('entry')}
        lead={<bdi>{describe.event(entry)}</bdi>}
      />
      <Card>
        <FactRows
          rows={[
            { name: t('time'), value: <Timestamp at={entry.at} /> },
            { name: t('who'), value: <bdi>{describe.actor(entry)}</bdi> },
            { name: t('kind'), value: t(`action.${action}` as 'action.change') },
            ...describe.facts(entry).map(({ name, value }) => ({ name, value: <bdi>{value}</bdi> })),
          ]}
        />
        <TechnicalFacts
          rows={[
            { name: t('request'), value: <code>{entry.requestId}</code> },
            { name: t('number'), value: entry.id },
          ]}
        />
      </Card>
      <Group gap="lg">
        {isSend && <TextLink href={`/owner/sends/${details.no}`}>{t('toSend')}</TextLink>}
        {keyId !== null && <TextLink href={`/owner/audit?key=${keyId}`}>{t('allOfKey')}</TextLink>}
        {employeeId !== null && <TextLink href={`/owner/audit?employee=${employeeId}`}>{t('allOfEmployee')}</TextLink>}
      </Group>
    </Stack>
  );
}
