import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { getRejectedRequestTexts } from '#app/owner/audit/refused/rejected-requests.ts';
import { KindDisc } from '#app/portal/notification/item-parts.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { Cell, type ListColumn, ListRow, ListTable, RowLink } from '#app/ui/lists/list-table.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import { listRejectedRequests } from '#server/keys/rejected-requests.ts';
import type { Owner } from '#server/principals.ts';
import { listSends } from '#server/sends/history/list.ts';

const shown = 5;

type Props = { owner: Owner; keyId: number };

/** The newest sends of a key. A row opens the send. */
export async function KeySends({ owner, keyId }: Props) {
  const [t, sendTexts, { sends }] = await Promise.all([
    getTranslations('keys'),
    getTranslations('sends'),
    listSends(owner, { filter: { keyId }, limit: shown }),
  ]);
  const columns = [
    { name: sendTexts('kind'), width: '44px', quiet: true },
    { name: sendTexts('notification'), width: 'minmax(0, 3fr)' },
    { name: sendTexts('recipient'), width: 'minmax(0, 2fr)' },
    { name: sendTexts('time'), width: '130px', end: true },
  ];
  return (
    <Newest name="sends" columns={columns} all={`/owner/sends?sender=${keyId}`}>
      {sends.map(({ no, kind, title, recipients, recipientName, reach, withdrawnAt, createdAt }) => (
        <ListRow key={no} data-send={no}>
          <Cell at="lead">
            <KindDisc kind={kind} />
          </Cell>
          <Cell at="main">
            <RowLink href={`/owner/sends/${no}`}>
              <bdi>{title}</bdi>
            </RowLink>
          </Cell>
          <Cell at="second">
            {withdrawnAt && <span className="key-flag">{sendTexts('withdrawn')} · </span>}
            <bdi>{recipients.to === 'everyone' ? t('toEveryone', { count: reach }) : recipientName}</bdi>
          </Cell>
          <Cell at="aside" end>
            <ShortTime at={createdAt} />
          </Cell>
        </ListRow>
      ))}
    </Newest>
  );
}

/** The newest rejected requests of a key, each with its reason and remedy. */
export async function KeyRejectedRequests({ owner, keyId }: Props) {
  const [t, rejectedTexts, textOf, { refusals }] = await Promise.all([
    getTranslations('keys'),
    getTranslations('refusals'),
    getRejectedRequestTexts(),
    listRejectedRequests(owner, { key: keyId }, { limit: shown }),
  ]);
  const columns = [
    { name: rejectedTexts('why'), width: 'minmax(0, 2fr)' },
    { name: t('cure'), width: 'minmax(0, 3fr)' },
    { name: rejectedTexts('time'), width: '130px', end: true },
  ];
  return (
    <Newest name="refusals" columns={columns} all={`/owner/audit/refused?key=${keyId}`}>
      {refusals.map((refused) => {
        const { reason, cure } = textOf(refused);
        return (
          <ListRow key={refused.id} data-refused={refused.code}>
            <Cell at="main">
              <RowLink href={`/owner/audit/refused?request=${refused.requestId}`}>{reason}</RowLink>
            </Cell>
            <Cell at="second">
              <span title={cure}>{cure}</span>
            </Cell>
            <Cell at="aside" end>
              <ShortTime at={refused.at} />
            </Cell>
          </ListRow>
        );
      })}
    </Newest>
  );
}

async function Newest({
  name,
  columns,
  all,
  children,
}: {
  name: 'sends' | 'refusals';
  columns: ListColumn[];
  all: string;
  children: ReactNode[];
}) {
  const t = await getTranslations('keys');
  return (
    <Section id={name} title={t(`${name}Title`)}>
      {children.length === 0 ? (
        <p className="dimmed">{t(`${name}None`)}</p>
      ) : (
        <>
          <ListTable label={t(`${name}Title`)} columns={columns}>
            {children}
          </ListTable>
          <div>
            <TextLink href={all}>{t(`${name}All`)}</TextLink>
          </div>
        </>
      )}
    </Section>
  );
}
