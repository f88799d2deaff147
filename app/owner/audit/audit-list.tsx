import { Table, TableTbody, TableTd, TableTh, TableThead, TableTr, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { Moment } from '#app/ui/moment.tsx';
import type { AuditEntry } from '#server/audit.ts';

/** Entries of the audit log, one row each, in words. */
export async function AuditList({ entries }: { entries: AuditEntry[] }) {
  const t = await getTranslations('audit');
  const describe = await describer();
  return (
    <Table className="rows" verticalSpacing="sm">
      <TableThead>
        <TableTr>
          <TableTh scope="col">{t('time')}</TableTh>
          <TableTh scope="col">{t('who')}</TableTh>
          <TableTh scope="col">{t('what')}</TableTh>
          <TableTh scope="col">{t('reach')}</TableTh>
          <TableTh scope="col">{t('request')}</TableTh>
        </TableTr>
      </TableThead>
      <TableTbody>
        {entries.map((entry) => (
          <TableTr key={entry.id} data-action={entry.action}>
            <TableTd data-label={t('time')}>
              <Moment at={entry.at} />
            </TableTd>
            <TableTd data-label={t('who')}>
              <bdi>{entry.actorKind === 'key' ? t('key', { name: entry.actorName }) : entry.actorName}</bdi>
            </TableTd>
            <TableTd data-label={t('what')}>
              <bdi>{describe(entry)}</bdi>
            </TableTd>
            <TableTd data-label={t('reach')} data-empty={typeof entry.details.reach !== 'number' || undefined}>
              <Reach details={entry.details} zero={t('zero')} />
            </TableTd>
            <TableTd data-label={t('request')}>
              <Text component="code" size="xs" c="dimmed" ff="monospace">
                {entry.requestId}
              </Text>
            </TableTd>
          </TableTr>
        ))}
      </TableTbody>
    </Table>
  );
}

function Reach({ details, zero }: { details: Record<string, unknown>; zero: string }) {
  if (typeof details.reach !== 'number') return '–';
  if (details.reach > 0) return details.reach;
  return (
    <>
      0
      <Text size="xs" c="dimmed">
        {zero}
      </Text>
    </>
  );
}

// What an entry says is a text with the names of its details in it: `audit.event.<action>`.
async function describer(): Promise<(entry: AuditEntry) => string> {
  const t = await getTranslations('audit');
  return ({ action, details }) => {
    const { was, ...rest } = details as { was?: Record<string, unknown> };
    const before = Object.entries(was ?? {}).map(([name, value]) => [
      `was${name[0]?.toUpperCase()}${name.slice(1)}`,
      value,
    ]);
    const values = Object.fromEntries(
      [...Object.entries(rest), ...before].map(([name, value]) => [name, String(value ?? '')]),
    );
    const recipient = values.recipientName || t('everyone');
    const key = `event.${action}` as Parameters<typeof t.has>[0];
    return t.has(key) ? t(key as 'event.notification.send', { ...values, recipient } as never) : action;
  };
}
