import { getTranslations } from 'next-intl/server';
import { DocsPage, describeText, Html } from '#app/docs/frame/docs-page.tsx';
import { type RequestExample, TryRequest } from '#app/docs/reference/try-request.tsx';
import { renderOperations } from '#app/docs/texts/rendered.ts';
import { currentLanguage } from '#app/language/i18n.ts';
import { env } from '#platform/config/settings.ts';
import { makeOpenApiDocument } from '#server/api/document/openapi.ts';
import { listExampleRequests } from '#server/api/document/openapi-examples.ts';
import type { Language } from '#server/api/failures.ts';

export const generateMetadata = () => describeText('reference');

export default async function Reference() {
  const [t, language] = await Promise.all([getTranslations('docs.reference'), currentLanguage()]);
  const { html, headings } = await renderOperations(language);
  const labels = {
    key: t('key'),
    request: t('request'),
    body: t('body'),
    ask: t('ask'),
    send: t('send'),
    sendToAll: t('sendToAll'),
    real: t('real'),
    fillIn: t('fillIn'),
    failed: t('failed'),
  };
  return (
    <DocsPage slug="reference" more={[{ id: 'try', title: t('try'), depth: 2 }, ...headings]}>
      <section className="docs-text">
        <h2 id="try">
          <a href="#try">{t('try')}</a>
        </h2>
        <TryRequest examples={listRequests(language)} labels={labels} language={language} />
      </section>
      <Html html={html} />
    </DocsPage>
  );
}

// In JSON only. `user_id` is empty, because the number of an example may be a real person's; sent
// like that, the request is refused.
function listRequests(language: Language): RequestExample[] {
  const requests = listExampleRequests(makeOpenApiDocument(env().APP_URL, language), language);
  const shown = requests.filter(({ fields, contentType }) => !fields || contentType === 'application/json');
  return shown.map(({ summary, method, path, query, fields }) => ({
    summary,
    method,
    path,
    query: query.map(({ key, value }) => `?${key}=${value}`).join(''),
    body: fields ? JSON.stringify('user_id' in fields ? { ...fields, user_id: '' } : fields, null, 2) : null,
  }));
}
