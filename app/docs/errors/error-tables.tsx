import { getTranslations } from 'next-intl/server';
import { type ErrorRow, listErrors, listMistakes } from '#app/docs/errors/rows.ts';
import { currentLanguage, localeOf } from '#app/i18n.ts';
import type { Language } from '#server/api/failures.ts';

/** The status and what it means: `400: the request needs a correction`. */
export async function statusTitle(status: number, language?: Language): Promise<string> {
  const t = await getTranslations({
    locale: localeOf(language ?? (await currentLanguage())),
    namespace: 'docs.statusNames',
  });
  const name = String(status);
  return t.has(name as '400') ? `${status}: ${t(name as '400')}` : name;
}

/** Every error in a table for each status; each has its code as its anchor, but not `among` other texts on one page. */
export async function ErrorTables({ among = false }: { among?: boolean }) {
  const groups = listErrors(await currentLanguage());
  return groups.map(({ status, rows }) => <StatusTable key={status} status={status} rows={rows} among={among} />);
}

async function StatusTable({ status, rows, among }: { status: number; rows: ErrorRow[]; among: boolean }) {
  const t = await getTranslations('docs');
  const Title = among ? 'h3' : 'h2';
  const prefix = among ? 'errors--' : '';
  return (
    <section className="docs-text">
      <Title id={`${prefix}status-${status}`}>
        <a href={`#${prefix}status-${status}`}>{await statusTitle(status)}</a>
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

/** The common mistakes, with what is sent and the sentence that comes back. */
export async function MistakeTable({ among = false }: { among?: boolean }) {
  const t = await getTranslations('docs');
  const Title = among ? 'h3' : 'h2';
  const prefix = among ? 'errors--' : '';
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
