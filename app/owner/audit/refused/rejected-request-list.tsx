import { getTranslations } from 'next-intl/server';
import { getRejectedRequestTexts, type RejectedRequestText } from '#app/owner/audit/refused/rejected-request-texts.ts';
import { FactRows } from '#app/ui/lists/facts.tsx';
import { Cell, ListDetail, ListRow, ListTable, Note } from '#app/ui/lists/list-table.tsx';
import { OpenToggle, RepeatGroup } from '#app/ui/lists/repeat-group.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import type { RejectedRequest } from '#server/keys/rejected-requests.ts';

/** The list of rejected requests. A press on a row opens remedy, operation and origin. */
export async function RejectedRequestList({ refusals }: { refusals: RejectedRequest[] }) {
  const t = await getTranslations('refusals');
  const textOf = await getRejectedRequestTexts();
  const columns = [
    { name: t('time'), width: '7.75rem' },
    { name: t('key'), width: 'minmax(0, 1fr)' },
    { name: t('why'), width: 'minmax(0, 2.6fr)' },
    { name: t('moreColumn'), width: '9.375rem', wide: true },
  ];
  return (
    <ListTable label={t('title')} columns={columns}>
      {refusals.map((refused) => (
        <RejectedRequestRow key={refused.id} refused={refused} text={textOf(refused)} />
      ))}
    </ListTable>
  );
}

type RowProps = { refused: RejectedRequest; text: RejectedRequestText };

async function RejectedRequestRow({ refused, text: { reason, cure, status } }: RowProps) {
  const t = await getTranslations('refusals');
  const { at, code, keyName, more, operation, address, client, requestId } = refused;
  const row = (
    <ListRow data-refused={code}>
      <Cell at="aside" time={at} />
      <Cell at="second">
        <bdi>{keyName ?? t('noKey')}</bdi>
        {more > 0 && <span className="mantine-hidden-from-sm list-note">{t('more', { count: more })}</span>}
      </Cell>
      <Cell at="main">
        <OpenToggle>{reason}</OpenToggle>
        <span className="list-sub">{cure}</span>
      </Cell>
      <Cell wide>{more > 0 && <Note tone="attention">{t('more', { count: more })}</Note>}</Cell>
    </ListRow>
  );
  return (
    <RepeatGroup head={row}>
      <ListDetail>
        <FactRows
          rows={[
            { name: t('cure'), value: cure },
            { name: t('time'), value: <Timestamp at={at} /> },
            { name: t('status'), value: status },
            { name: t('operation'), value: <code>{operation}</code> },
            { name: t('from'), value: address },
            { name: t('client'), value: client || t('unknownClient') },
            { name: t('request'), value: <code>{requestId}</code> },
          ]}
        />
      </ListDetail>
    </RepeatGroup>
  );
}
