import { ArrowLeft, ArrowRight } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DocsFrame } from '#app/docs/frame.tsx';
import { Html } from '#app/docs/html.tsx';
import type { Heading } from '#app/docs/render.ts';
import { findRendered } from '#app/docs/rendered.ts';
import { addressOf, allSlugs, findText } from '#app/docs/texts.ts';
import { currentLanguage } from '#app/i18n.ts';

/** A text as a page; `wide` where what follows is the main part. It has what follows it (`children`), its neighbours, and the headings to jump to. Null when there is no such text. */
export async function Reading({
  slug,
  more = [],
  wide = false,
  children,
}: {
  slug: string;
  more?: Heading[];
  wide?: boolean;
  children?: ReactNode;
}) {
  const rendered = await findRendered(slug, await currentLanguage());
  if (!rendered) return null;
  const html = <Html html={rendered.html} />;
  return (
    <DocsFrame current={slug} wide={wide} aside={<OnThisPage headings={[...rendered.headings, ...more]} />}>
      {wide ? <section aria-label={rendered.headings[0]?.title}>{html}</section> : html}
      {children}
      <Moves slug={slug} />
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

async function Moves({ slug }: { slug: string }) {
  const t = await getTranslations('docs');
  const language = await currentLanguage();
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
        <a href="/docs/all">{t('allOnOne')}</a>
      </div>
    </footer>
  );
}
