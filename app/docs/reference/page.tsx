import { getTranslations } from 'next-intl/server';
import { DocsPage, describeText, Html } from '#app/docs/frame/docs-page.tsx';
import { TryRequest } from '#app/docs/reference/try-request.tsx';
import { listRequestExamples } from '#app/docs/texts/operations.ts';
import { renderOperations } from '#app/docs/texts/rendered.ts';
import { currentLanguage } from '#app/language/i18n.ts';

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
        <TryRequest examples={listRequestExamples(language)} labels={labels} language={language} />
      </section>
      <Html html={html} />
    </DocsPage>
  );
}
