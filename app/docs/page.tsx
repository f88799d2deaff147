import { getTranslations } from 'next-intl/server';
import { DocsPage, describeText, TextList } from '#app/docs/frame/docs-page.tsx';
import { listTexts, pageSlugs } from '#app/docs/texts/texts.ts';
import { currentLanguage } from '#app/language/i18n.ts';

export const generateMetadata = () => describeText('start');

export default async function Docs() {
  const t = await getTranslations('docs');
  const others = listTexts(
    pageSlugs.filter((slug) => slug !== 'start'),
    await currentLanguage(),
  );
  return (
    <DocsPage slug="start" more={[{ id: 'here', title: t('here'), depth: 2 }]}>
      <section className="docs-text">
        <h2 id="here">
          <a href="#here">{t('here')}</a>
        </h2>
        <TextList texts={others} />
      </section>
    </DocsPage>
  );
}
