import { getTranslations } from 'next-intl/server';
import { type ErrorGroup, listErrors, listMistakes, statusTitle } from '#app/docs/texts/errors.ts';
import { currentLanguage } from '#app/language/i18n.ts';

/** A table of errors for each status. Anchors are codes, with a prefix if `combined`. */
export async function ErrorTables({ combined = false }: { combined?: boolean }) {
  const groups = await listErrors(await currentLanguage());
  return groups.map(({ status, rows }) => <StatusTable key={status} status={status} rows={rows} combined={combined} />);
}

async function StatusTable({ status, rows, combined }: ErrorGroup & { combined: boolean }) {
  const t = await getTranslations('docs');
  const Title = combined ? 'h3' : 'h2';
  const prefix = combined ? 'errors--' : '';
  return (
    <section className="docs-text">
      <Title id={`${prefix}status-${status}`}>
        <a href={`#${prefix}status-${status}`}>{await statusTitle(status, await currentLanguage())}</a>
      </Title>
      <table className="docs-errors">
        <thead>
          <tr>
            <th scope="col">{t('code')}</th>
            <th scope="col">{t('meaning')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ code, sentence, cause }) => (
            <tr key={code} id={prefix + code}>
              <th scope="row">
                <a href={`#${prefix}${code}`}>
                  <code>{code}</code>
                </a>
              </th>
              <td>
                {sentence}
                <p className="docs-cause">
                  {t('cause')}: {cause}
                </p>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The common mistakes: what was sent, and the sentence that the service answered. */
export async function MistakeTable({ combined = false }: { combined?: boolean }) {
  const t = await getTranslations('docs');
  const Title = combined ? 'h3' : 'h2';
  const prefix = combined ? 'errors--' : '';
  return (
    <section className="docs-text">
      <Title id={`${prefix}mistakes`}>
        <a href={`#${prefix}mistakes`}>{t('mistakes')}</a>
      </Title>
      <p>{t('mistakesLead')}</p>
      <table className="docs-errors">
        <thead>
          <tr>
            <th scope="col">{t('mistake')}</th>
            <th scope="col">{t('answered')}</th>
          </tr>
        </thead>
        <tbody>
          {(await listMistakes(await currentLanguage())).map(({ name, about, sent, code, sentence }) => (
            <tr key={name} id={`${prefix}mistake-${name}`}>
              <th scope="row">
                {about}
                <pre className="docs-sent">{sent}</pre>
              </th>
              <td>
                {sentence}{' '}
                <a href={`#${prefix}${code}`}>
                  <code>{code}</code>
                </a>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
