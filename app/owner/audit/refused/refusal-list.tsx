import { Badge, Table, TableTbody, TableTd, TableTr, Text } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { getRefusalTexts, type RefusalText } from '#app/owner/audit/refused/refusal-texts.ts';
import { TableHead } from '#app/ui/lists/table-head.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import type { RefusedCall } from '#server/keys/refusals.ts';

/** The table of refused calls: time, key, reason and remedy, operation, origin. */
export async function RefusalList({ refusals }: { refusals: RefusedCall[] }) {
  const t = await getTranslations('refusals');
  const textOf = await getRefusalTexts();
  return (
    <Table className="rows" verticalSpacing="sm">
      <TableHead columns={[t('time'), t('key'), t('why'), t('operation'), t('from')]} />
      <TableTbody>
        {refusals.map((refused) => (
          <TableTr key={refused.id} data-refused={refused.code}>
            <TableTd data-label={t('time')} miw={130}>
              <Moment at={refused.at} />
              {refused.more > 0 && <div className="fine-print">{t('more', { count: refused.more })}</div>}
            </TableTd>
            <TableTd data-label={t('key')}>
              <bdi>{refused.keyName ?? t('noKey')}</bdi>
            </TableTd>
            <TableTd data-label={t('why')} miw={260}>
              <Reason {...textOf(refused)} />
            </TableTd>
            <TableTd data-label={t('operation')}>
              <code>{refused.operation}</code>
            </TableTd>
            <TableTd data-label={t('from')} className="wrapping" miw={190}>
              {refused.address}
              <div className="fine-print">{refused.client || t('unknownClient')}</div>
              <Text component="code" size="xs" c="dimmed" ff="monospace" title={t('request')}>
                {refused.requestId}
              </Text>
            </TableTd>
          </TableTr>
        ))}
      </TableTbody>
    </Table>
  );
}

function Reason({ reason, cure, status }: RefusalText) {
  return (
    <>
      <Text component="span" fw={600} size="sm">
        {reason}
      </Text>{' '}
      {status !== null && (
        <Badge color="orange" size="md">
          {status}
        </Badge>
      )}
      <div className="fine-print">{cure}</div>
    </>
  );
}
