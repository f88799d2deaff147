import { getTranslations } from 'next-intl/server';
import { getRefusalTexts, type RefusalText } from '#app/owner/audit/refused/refusal-texts.ts';
import { Cell, ListDetail, ListRow, ListTable, Note } from '#app/ui/lists/list-table.tsx';
import { OpenToggle, RepeatGroup } from '#app/ui/lists/repeat-group.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import { ShortTime } from '#app/ui/text/short-time.tsx';
import type { RefusedCall } from '#server/keys/refusals.ts';

/** The list of refused calls: time, key, reason. A press opens remedy, operation and origin. */
export async function RefusalList({ refusals }: { refusals: RefusedCall[] }) {
  const t = await getTranslations('refusals');
  const textOf = await getRefusalTexts();
  const columns = [
    { name: t('time'), width: '124px' },
    { name: t('key'), width: 'minmax(0, 1fr)' },
    { name: t('why'), width: 'minmax(0, 2.6fr)' },
    { name: t('moreColumn'), width: '150px', wide: true },
  ];
  return (
    <ListTable label={t('title')} columns={columns}>
      {refusals.map((refused) => (
        <RepeatGroup key={refused.id} head={<RefusalRow refused={refused} text={textOf(refused)} />}>
          <RefusalDetail refused={refused} text={textOf(refused)} />
        </RepeatGroup>
      ))}
    </ListTable>
  );
}

type RefusalProps = { refused: RefusedCall; text: RefusalText };

async function RefusalRow({ refused, text: { reason, cure } }: RefusalProps) {
  const t = await getTranslations('refusals');
  const { at, keyName, more } = refused;
  return (
    <ListRow data-refused={refused.code}>
      <Cell at="aside">
        <ShortTime at={at} />
      </Cell>
      <Cell at="second">
        <bdi>{keyName ?? t('noKey')}</bdi>
        {more > 0 && <span className="phone-only list-note">{t('more', { count: more })}</span>}
      </Cell>
      <Cell at="main">
        <OpenToggle>{reason}</OpenToggle>
        <span className="list-sub">{cure}</span>
      </Cell>
      <Cell wide>{more > 0 && <Note tone="attention">{t('more', { count: more })}</Note>}</Cell>
    </ListRow>
  );
}

async function RefusalDetail({ refused, text: { cure, status } }: RefusalProps) {
  const t = await getTranslations('refusals');
  const { at, operation, address, client, requestId } = refused;
  const facts = [
    { name: t('cure'), value: cure },
    { name: t('time'), value: <Moment at={at} /> },
    { name: t('status'), value: status },
    { name: t('operation'), value: <code>{operation}</code> },
    { name: t('from'), value: address },
    { name: t('client'), value: client || t('unknownClient') },
    { name: t('request'), value: <code>{requestId}</code> },
  ];
  return (
    <ListDetail>
      <dl className="facts">
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="wrapping">{value}</dd>
          </div>
        ))}
      </dl>
    </ListDetail>
  );
}
