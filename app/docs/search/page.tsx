import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DocsFrame } from '#app/docs/frame/frame.tsx';
import { Excerpt } from '#app/docs/search/excerpt.tsx';
import { type SearchHit, search } from '#app/docs/search/index-texts.ts';
import { currentLanguage } from '#app/language/i18n.ts';

type Props = { searchParams: Promise<{ q?: string | string[] }> };

const maxQueryCharacters = 100;

async function readQuery({ searchParams }: Props): Promise<string> {
  const { q } = await searchParams;
  return typeof q === 'string' ? q.trim().slice(0, maxQueryCharacters) : '';
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const [t, query] = await Promise.all([getTranslations('docs'), readQuery(props)]);
  return { title: query === '' ? t('searchTitle') : t('searchTitleFor', { query }) };
}

export default async function Search(props: Props) {
  const [t, query] = await Promise.all([getTranslations('docs'), readQuery(props)]);
  const found = query === '' ? [] : await search(query, await currentLanguage());
  return (
    <DocsFrame query={query}>
      <div className="docs-text">
        <h1>{query === '' ? t('searchTitle') : t('searchTitleFor', { query })}</h1>
        {query === '' && <p>{t('emptyText')}</p>}
        {query !== '' && <p role="status">{t('results', { count: found.length })}</p>}
        {query !== '' && found.length === 0 && <p>{t('nothingText', { query })}</p>}
        <Results found={found} />
      </div>
    </DocsFrame>
  );
}

function Results({ found }: { found: SearchHit[] }) {
  if (found.length === 0) return null;
  return (
    <ol className="docs-list">
      {found.map(({ address, title, page, text, words }) => (
        <li key={address}>
          <a href={address}>
            {title}
            {page !== title && <small> {page}</small>}
          </a>
          <Excerpt text={text} words={words} />
        </li>
      ))}
    </ol>
  );
}
