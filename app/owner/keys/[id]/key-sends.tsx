import { getTranslations } from 'next-intl/server';
import { KindDisc } from '#app/portal/notification/kind-icon.tsx';
import { Section } from '#app/ui/frame/section.tsx';
import { Cell, ListRow, ListTable, RowLink } from '#app/ui/lists/list-table.tsx';
import { ShortTime } from '#app/ui/text/short-time.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { Owner } from '#server/principals.ts';
import { listSends } from '#server/sends/list.ts';

const shown = 5;

/** The newest sends of a key. A row opens the send. */
export async function KeySends({ owner, keyId }: { owner: Owner; keyId: number }) {
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
    <Section id="sends" title={t('sendsTitle')}>
      {sends.length === 0 ? (
        <p className="dimmed">{t('sendsNone')}</p>
      ) : (
        <>
          <ListTable label={t('sendsTitle')} columns={columns}>
            {sends.map(({ no, kind, title, recipientId, recipientName, reach, withdrawnAt, createdAt }) => (
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
                  <bdi>{recipientId === null ? t('toEveryone', { count: reach }) : recipientName}</bdi>
                </Cell>
                <Cell at="aside" end>
                  <ShortTime at={createdAt} />
                </Cell>
              </ListRow>
            ))}
          </ListTable>
          <div>
            <TextLink href={`/owner/sends?sender=${keyId}`}>{t('sendsAll')}</TextLink>
          </div>
        </>
      )}
    </Section>
  );
}
