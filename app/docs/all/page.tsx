import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { PrintButton } from '#app/docs/all/print-button.tsx';
import { ErrorTables, MistakeTable } from '#app/docs/errors/error-tables.tsx';
import { DocsFrame } from '#app/docs/frame.tsx';
import { Html } from '#app/docs/html.tsx';
import { findRendered, renderOperations } from '#app/docs/rendered.ts';
import { allSlugs, listTexts } from '#app/docs/texts.ts';
import { currentLanguage } from '#app/i18n.ts';
import { env } from '#server/env.ts';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('docs');
  return { title: `${t('allOnOne')} · ${t('title')}` };
}

export default async function All() {
  const [t, language] = [await getTranslations('docs'), await currentLanguage()];
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
        <One key={slug} slug={slug} />
      ))}
    </DocsFrame>
  );
}

async function One({ slug }: { slug: string }) {
  const rendered = await findRendered(slug, await currentLanguage(), true);
  return (
    <article className="docs-one">
      <Html html={rendered?.html ?? ''} />
      {slug === 'errors' && (
        <>
          <ErrorTables among />
          <MistakeTable among />
        </>
      )}
      {slug === 'reference' && <Html html={(await renderOperations(await currentLanguage())).html} />}
    </article>
  );
}
