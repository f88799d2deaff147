import { Badge, Table, TableTbody, TableTd, TableTr, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ArrowKeyRows } from '#app/owner/audit/arrow-key-rows.tsx';
import { makeDescriber } from '#app/owner/audit/describe.ts';
import { TableHead } from '#app/ui/lists/table-head.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { AuditEntry } from '#server/audit/list.ts';

/** The table of entries of the audit log. Each row links to the page of its entry. */
export async function AuditList({ entries }: { entries: AuditEntry[] }) {
  const t = await getTranslations('audit');
  const describe = await makeDescriber();
  const columns = [t('time'), t('who'), t('what'), t('recipient'), t('reach'), t('result')];
  return (
    <ArrowKeyRows>
      <Table className="rows" verticalSpacing={4}>
        <TableHead columns={columns} />
        <TableTbody>
          {entries.map((entry) => {
            const recipient = describe.recipient(entry);
            return (
              <TableTr key={entry.id} data-action={entry.action}>
                <TableTd data-label={t('time')} miw={150}>
                  <Moment at={entry.at} />
                </TableTd>
                <TableTd data-label={t('who')} miw={110}>
                  <BreakingText>{describe.actor(entry)}</BreakingText>
                </TableTd>
                <TableTd data-label={t('what')} miw={160}>
                  <TextLink href={`/owner/audit/${entry.id}`} fz="sm">
                    <BreakingText>{describe.event(entry)}</BreakingText>
                  </TextLink>
                </TableTd>
                <TableTd data-label={t('recipient')} miw={110} data-empty={recipient === '' || undefined}>
                  <BreakingText>{recipient || '–'}</BreakingText>
                </TableTd>
                <Outcome reach={entry.details.reach} label={t('reach')} resultLabel={t('result')} />
              </TableTr>
            );
          })}
        </TableTbody>
      </Table>
    </ArrowKeyRows>
  );
}

// Breaks long words in names and titles, which would widen the column.
function BreakingText({ children }: { children: ReactNode }) {
  return <bdi style={{ overflowWrap: 'anywhere' }}>{children}</bdi>;
}

async function Outcome({ reach, label, resultLabel }: { reach: unknown; label: string; resultLabel: string }) {
  const t = await getTranslations('audit');
  if (typeof reach !== 'number')
    return (
      <>
        <TableTd data-empty>–</TableTd>
        <TableTd data-empty>–</TableTd>
      </>
    );
  return (
    <>
      <TableTd data-label={label}>{reach}</TableTd>
      <TableTd data-label={resultLabel}>
        <Badge color={reach > 0 ? 'green' : 'orange'}>{reach > 0 ? t('reached') : t('nobody')}</Badge>
        {reach === 0 && (
          <Text size="xs" c="dimmed">
            {t('zero')}
          </Text>
        )}
      </TableTd>
    </>
  );
}
