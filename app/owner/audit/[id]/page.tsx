import { Group, Stack, Table, TableTbody, TableTd, TableTh, TableTr, Text } from '@mantine/core';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { titled } from '#app/language/page-title.ts';
import { makeDescriber } from '#app/owner/audit/describe.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { NumberText } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/links.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { type AuditEntry, findAuditEntry } from '#server/audit/list.ts';

type Props = { params: Promise<{ id: string }> };

export const generateMetadata = titled('audit', 'entry');

export default async function AuditEntryPage({ params }: Props) {
  const { id } = await params;
  const owner = await requireOwner(`/owner/audit/${encodeURIComponent(id)}`);
  const entryId = NumberText.safeParse(id).data;
  const entry = entryId === undefined ? null : await findAuditEntry(owner, entryId);
  if (!entry) notFound();
  const t = await getTranslations('audit');
  const describe = await makeDescriber();
  return (
    <Stack maw={720} gap="lg">
      <PageHead title={t('entry')} lead={<bdi>{describe.event(entry)}</bdi>} />
      <Table variant="vertical" withTableBorder layout="fixed" verticalSpacing="sm">
        <TableTbody>
          <Fact name={t('time')}>
            <Timestamp at={entry.at} />
          </Fact>
          <Fact name={t('who')}>{describe.actor(entry)}</Fact>
          <Fact name={t('kind')}>{t(`action.${entry.action}` as 'action.change')}</Fact>
          {describe.facts(entry).map(({ name, label, value }) => (
            <Fact key={name} name={label}>
              {value}
            </Fact>
          ))}
          <Fact name={t('request')}>
            <Text component="code" size="sm" ff="monospace" className="wrapping">
              {entry.requestId}
            </Text>
          </Fact>
          <Fact name={t('number')}>{entry.id}</Fact>
        </TableTbody>
      </Table>
      <Links entry={entry} />
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <TableTr>
      <TableTh scope="row" w="38%">
        {name}
      </TableTh>
      <TableTd className="wrapping">
        <bdi>{children}</bdi>
      </TableTd>
    </TableTr>
  );
}

async function Links({ entry }: { entry: AuditEntry }) {
  const t = await getTranslations('audit');
  const { keyId, employeeId, details, action } = entry;
  const isSend = action.startsWith('notification.') && typeof details.no === 'number';
  return (
    <Group gap="lg">
      {isSend && <TextLink href={`/owner/sends/${details.no}`}>{t('toSend')}</TextLink>}
      {keyId !== null && <TextLink href={`/owner/audit?key=${keyId}`}>{t('allOfKey')}</TextLink>}
      {employeeId !== null && <TextLink href={`/owner/audit?employee=${employeeId}`}>{t('allOfEmployee')}</TextLink>}
      <TextLink href="/owner/audit">{t('back')}</TextLink>
    </Group>
  );
}
