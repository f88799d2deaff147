import { getTranslations } from 'next-intl/server';
import { getRefusalTexts } from '#app/owner/audit/refused/refusal-texts.ts';
import { Section } from '#app/ui/frame/section.tsx';
import { Cell, ListRow, ListTable, RowLink } from '#app/ui/lists/list-table.tsx';
import { ShortTime } from '#app/ui/text/short-time.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { listRefusals } from '#server/keys/refusals.ts';
import type { Owner } from '#server/principals.ts';

const shown = 5;

/** The newest refused calls of a key, each with its reason and remedy. */
export async function KeyRefusals({ owner, keyId }: { owner: Owner; keyId: number }) {
  const [t, refusalTexts, textOf, { refusals }] = await Promise.all([
    getTranslations('keys'),
    getTranslations('refusals'),
    getRefusalTexts(),
    listRefusals(owner, { key: keyId }, { limit: shown }),
  ]);
  const columns = [
    { name: refusalTexts('why'), width: 'minmax(0, 2fr)' },
    { name: t('cure'), width: 'minmax(0, 3fr)' },
    { name: refusalTexts('time'), width: '130px', end: true },
  ];
  return (
    <Section id="refusals" title={t('refusalsTitle')}>
      {refusals.length === 0 ? (
        <p className="dimmed">{t('refusalsNone')}</p>
      ) : (
        <>
          <ListTable label={t('refusalsTitle')} columns={columns}>
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
          </ListTable>
          <div>
            <TextLink href={`/owner/audit/refused?key=${keyId}`}>{t('refusalsAll')}</TextLink>
          </div>
        </>
      )}
    </Section>
  );
}
