import { getTranslations } from 'next-intl/server';
import { describeText } from '#app/docs/page-title.ts';
import { Reading } from '#app/docs/reading.tsx';
import { ReferenceReader } from '#app/docs/reference/reader.tsx';
import { currentLanguage } from '#app/i18n.ts';

export const generateMetadata = () => describeText('reference');

export default async function Reference() {
  const [t, language] = [await getTranslations('docs'), await currentLanguage()];
  return (
    <Reading slug="reference" wide>
      <noscript>
        <p>
          {t('withoutScript')} <a href={`/docs/reference.md?lang=${language}`}>{t('asMarkdown')}</a>
        </p>
      </noscript>
      <ReferenceReader
        language={language}
        loading={t('referenceLoading')}
        failed={t('referenceFailed')}
        copy={t('copy')}
        docs={t('title')}
      />
    </Reading>
  );
}
