import type { Metadata } from 'next';
import { notFound, permanentRedirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { DocsFrame } from '#app/docs/frame/docs-frame.tsx';
import { allSlugs, findText } from '#app/docs/texts/doc-texts.ts';
import { findRendered } from '#app/docs/texts/pages.ts';
import type { Heading } from '#app/docs/texts/render.ts';
import { currentLanguage } from '#app/language/i18n.ts';

type Props = { params: Promise<{ slug?: string[] }> };

const slugOf = ({ slug }: Awaited<Props['params']>) => slug?.join('/') ?? 'start';

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [slug, language] = [slugOf(await params), await currentLanguage()];
  const text = findText(slug, language);
  if (!text) return {};
  const t = await getTranslations('docs');
  return {
    title: `${text.title} · ${t('title')}`,
    description: text.summary,
    alternates: { types: { 'text/markdown': `/docs/${slug}.md?lang=${language}` } },
  };
}

/** The page of a text: `/docs`, `/docs/send`, `/docs/recipes/curl`. Beside it stands a list of its headings. */
export default async function TextPage({ params }: Props) {
  const [t, language, routeParams] = await Promise.all([getTranslations('docs'), currentLanguage(), params]);
  if (routeParams.slug?.join('/') === 'start') permanentRedirect('/docs');
  const slug = slugOf(routeParams);
  const rendered = allSlugs.includes(slug) && (await findRendered(slug, language));
  if (!rendered) notFound();
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
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length < 2) return null;
  return (
    <nav className="docs-aside" aria-label={t('onThisPage')}>
      <p aria-hidden>{t('onThisPage')}</p>
      <ul className="plain-list">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
