import { getTranslations } from 'next-intl/server';
import { type ErrorGroup, listErrors, statusTitle } from '#app/docs/texts/errors.ts';
import { currentLanguage } from '#app/language/i18n.ts';

/** A table of errors for each status. Anchors are codes. */
export async function ErrorTables() {
  const groups = await listErrors(await currentLanguage());
  return groups.map(({ status, rows }) => <StatusTable key={status} status={status} rows={rows} />);
}

async function StatusTable({ status, rows }: ErrorGroup) {
  const t = await getTranslations('docs');
  return (
    <section className="docs-text">
      <h2 id={`status-${status}`}>
        <a href={`#status-${status}`}>{await statusTitle(status, await currentLanguage())}</a>
      </h2>
      <table className="docs-errors">
        <thead>
          <tr>
            <th scope="col">{t('code')}</th>
            <th scope="col">{t('meaning')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ code, sentence, cause }) => (
            <tr key={code} id={code}>
              <th scope="row">
                <a href={`#${code}`}>
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
