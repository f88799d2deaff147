import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DocsFrame } from '#app/docs/frame/frame.tsx';
import type { Heading } from '#app/docs/texts/render.ts';
import { findRendered } from '#app/docs/texts/rendered.ts';
import { findText } from '#app/docs/texts/texts.ts';
import { currentLanguage } from '#app/language/i18n.ts';

/** A page of the documentation: its text, and a list of its headings. */
export async function DocsPage({ slug }: { slug: string }) {
  const [t, language] = await Promise.all([getTranslations('docs'), currentLanguage()]);
  const rendered = await findRendered(slug, language);
  if (!rendered) return null;
  return (
    <DocsFrame current={slug} aside={<OnThisPage headings={rendered.headings} />}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: `renderMarkdown` escapes all tags */}
      <div className="docs-text" dangerouslySetInnerHTML={{ __html: rendered.html }} />
      <footer className="docs-foot">
        <a href={`/docs/${slug}.md?lang=${language}`}>{t('asMarkdown')}</a>
      </footer>
    </DocsFrame>
  );
}

async function OnThisPage({ headings }: { headings: Heading[] }) {
  const t = await getTranslations('docs');
  const shown = headings.filter(({ depth }) => depth === 2);
  if (shown.length < 2) return null;
  return (
    <nav className="docs-aside" aria-label={t('onThisPage')}>
      <p aria-hidden>{t('onThisPage')}</p>
      <ul>
        {shown.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Title, description and Markdown address of a text's page. */
export async function describeText(slug: string): Promise<Metadata> {
  const language = await currentLanguage();
  const text = findText(slug, language);
  if (!text) return {};
  const t = await getTranslations('docs');
  return {
    title: `${text.title} · ${t('title')}`,
    description: text.summary,
    alternates: { types: { 'text/markdown': `/docs/${slug}.md?lang=${language}` } },
  };
}
