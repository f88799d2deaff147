import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DocsFrame } from '#app/docs/frame/docs-frame.tsx';
import { search } from '#app/docs/search/index-texts.ts';
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
  const hits = query === '' ? [] : await search(query, await currentLanguage());
  return (
    <DocsFrame query={query}>
      <div className="docs-text">
        <h1>{query === '' ? t('searchTitle') : t('searchTitleFor', { query })}</h1>
        {query === '' && <p>{t('emptyText')}</p>}
        {query !== '' && <p role="status">{t('results', { count: hits.length })}</p>}
        {query !== '' && hits.length === 0 && <p>{t('nothingText', { query })}</p>}
        {hits.length > 0 && (
          <ol className="docs-list plain-list">
            {hits.map(({ address, title, page, text, words }) => (
              <li key={address}>
                <a href={address}>
                  {title}
                  {page !== title && <small> {page}</small>}
                </a>
                <Excerpt text={text} words={words} />
              </li>
            ))}
          </ol>
        )}
      </div>
    </DocsFrame>
  );
}

const charactersBefore = 60;
const maxCharacters = 220;

/** The part of a text around the first of the words; all words are marked. */
function Excerpt({ text, words }: { text: string; words: string[] }) {
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const any = new RegExp(`(${escaped.join('|') || '$.'})`, 'giu');
  const start = Math.max(0, text.search(any));
  const from = start < charactersBefore ? 0 : text.indexOf(' ', start - charactersBefore) + 1;
  const part = text.slice(from, from + maxCharacters);
  return (
    <span>
      {from > 0 && '… '}
      {/* biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place in the text */}
      {part.split(any).map((piece, index) => (index % 2 === 1 ? <mark key={index}>{piece}</mark> : piece))}
      {from + maxCharacters < text.length && ' …'}
    </span>
  );
}
