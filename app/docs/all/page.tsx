import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ErrorTables, MistakeTable } from '#app/docs/errors/error-tables.tsx';
import { Html } from '#app/docs/frame/docs-page.tsx';
import { DocsFrame } from '#app/docs/frame/frame.tsx';
import { PrintButton } from '#app/docs/frame/scripts.tsx';
import { findRendered, renderOperations } from '#app/docs/texts/rendered.ts';
import { allSlugs, listTexts } from '#app/docs/texts/texts.ts';
import { currentLanguage } from '#app/language/i18n.ts';
import { env } from '#platform/config/settings.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('docs');
  return { title: `${t('allOnOne')} · ${t('title')}` };
}

export default async function All() {
  const [t, language] = await Promise.all([getTranslations('docs'), currentLanguage()]);
  return (
    <DocsFrame current="all">
      <div className="docs-text docs-all-head">
        <h1>{t('title')}</h1>
        <p>
          {t('allLead')} {env().APP_URL}
        </p>
        <PrintButton label={t('print')} />
        <ol>
          {listTexts(allSlugs, language).map(({ slug, title }) => (
            <li key={slug}>
              <a href={`#${slug.replace('/', '-')}--top`}>{title}</a>
            </li>
          ))}
        </ol>
      </div>
      {allSlugs.map((slug) => (
        <PageText key={slug} slug={slug} />
      ))}
    </DocsFrame>
  );
}

async function PageText({ slug }: { slug: string }) {
  const language = await currentLanguage();
  const rendered = await findRendered(slug, language, true);
  return (
    <article className="docs-one">
      <Html html={rendered?.html ?? ''} />
      {slug === 'errors' && (
        <>
          <ErrorTables combined />
          <MistakeTable combined />
        </>
      )}
      {slug === 'reference' && <Html html={(await renderOperations(language, true)).html} />}
    </article>
  );
}
