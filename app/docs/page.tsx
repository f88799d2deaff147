import { getTranslations } from 'next-intl/server';
import { describeText } from '#app/docs/page-title.ts';
import { Reading } from '#app/docs/reading.tsx';
import { TextList } from '#app/docs/text-list.tsx';
import { listTexts, pageSlugs } from '#app/docs/texts.ts';
import { currentLanguage } from '#app/i18n.ts';

export const generateMetadata = () => describeText('start');

export default async function Docs() {
  const t = await getTranslations('docs');
  const others = listTexts(
    pageSlugs.filter((slug) => slug !== 'start'),
    await currentLanguage(),
  );
  return (
    <Reading slug="start" more={[{ id: 'here', title: t('here'), depth: 2 }]}>
      <section className="docs-text">
        <h2 id="here">
          <a href="#here">{t('here')}</a>
        </h2>
        <TextList texts={others} />
      </section>
    </Reading>
  );
}
