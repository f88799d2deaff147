import { ArrowLeft, ArrowRight } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DocsFrame } from '#app/docs/frame/frame.tsx';
import type { Heading } from '#app/docs/texts/render.ts';
import { findRendered } from '#app/docs/texts/rendered.ts';
import { addressOf, allSlugs, findText } from '#app/docs/texts/texts.ts';
import { currentLanguage } from '#app/language/i18n.ts';

/** A page of the documentation: its text, a list of its headings, and links to its neighbours. */
export async function DocsPage({ slug }: { slug: string }) {
  const rendered = await findRendered(slug, await currentLanguage());
  if (!rendered) return null;
  return (
    <DocsFrame current={slug} aside={<OnThisPage headings={rendered.headings} />}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: `renderMarkdown` escapes all tags */}
      <div className="docs-text" dangerouslySetInnerHTML={{ __html: rendered.html }} />
      <PageNavigation slug={slug} />
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

async function PageNavigation({ slug }: { slug: string }) {
  const [t, language] = await Promise.all([getTranslations('docs'), currentLanguage()]);
  const at = allSlugs.indexOf(slug);
  const [previous, next] = [allSlugs[at - 1], allSlugs[at + 1]].map((one) => one && findText(one, language));
  return (
    <footer className="docs-foot">
      <nav className="docs-moves" aria-label={t('moves')}>
        {previous && (
          <a href={addressOf(previous.slug)} rel="prev">
            <ArrowLeft aria-hidden size={18} />
            <span>
              <small>{t('previous')}</small> {previous.title}
            </span>
          </a>
        )}
        {next && (
          <a href={addressOf(next.slug)} rel="next" className="docs-next">
            <span>
              <small>{t('next')}</small> {next.title}
            </span>
            <ArrowRight aria-hidden size={18} />
          </a>
        )}
      </nav>
      <div className="docs-also">
        <a href={`/docs/${slug}.md?lang=${language}`}>{t('asMarkdown')}</a>
      </div>
    </footer>
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
