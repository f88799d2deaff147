import MiniSearch from 'minisearch';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { DocsFrame } from '#app/docs/frame/docs-frame.tsx';
import { addressOf, allSlugs, findText } from '#app/docs/texts/doc-texts.ts';
import { findRendered } from '#app/docs/texts/pages.ts';
import { type Heading, plainText } from '#app/docs/texts/render.ts';
import { currentLanguage } from '#app/language/i18n.ts';
import { type Language, languages } from '#platform/language.ts';

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

type SearchTarget = { address: string; title: string; page: string; text: string; code?: string };

// `alias` and `other` are title and text in the other languages.
type Indexed = SearchTarget & { id: number; alias?: string; other?: string };

const indexes = new Map<Language, Promise<MiniSearch<Indexed>>>();

const joinLines = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Divides rendered HTML at its headings. The part before the first one belongs to the page. */
function divide(html: string, headings: Heading[]): { heading?: Heading; text: string; code: string }[] {
  const sections = headings.filter(({ depth }) => depth > 1);
  const starts = sections.map(({ id, depth }) => html.indexOf(`<h${depth} id="${id}"`));
  const listing = /<div class="docs-code">.*?<\/pre><\/div>/gs;
  const part = (from: number, to?: number) => {
    const piece = html.slice(from, to);
    const listings = (piece.match(listing) ?? []).join(' ').replace(/<(a|button)\b.*?<\/\1>/g, ' ');
    const text = piece.replace(listing, ' ').replace(/<h\d\b.*?<\/h\d>/g, ' ');
    return { text: joinLines(plainText(text)), code: joinLines(plainText(listings)) };
  };
  return [
    part(0, starts[0]),
    ...sections.map((heading, index) => ({ heading, ...part(starts[index] ?? 0, starts[index + 1]) })),
  ];
}

async function listTargets(language: Language): Promise<SearchTarget[]> {
  const pages = allSlugs.map(async (slug) => {
    const rendered = await findRendered(slug, language);
    const page = findText(slug, language)?.title ?? '';
    return divide(rendered?.html ?? '', rendered?.headings ?? []).map(({ heading, text, code }) => ({
      address: heading ? `${addressOf(slug)}#${heading.id}` : addressOf(slug),
      title: heading?.title ?? page,
      page,
      text,
      code,
    }));
  });
  return (await Promise.all(pages)).flat();
}

async function buildIndex(language: Language): Promise<MiniSearch<Indexed>> {
  const index = new MiniSearch<Indexed>({
    fields: ['title', 'page', 'text', 'code', 'alias', 'other'],
    storeFields: ['address', 'title', 'page', 'text', 'code'],
    searchOptions: {
      boost: { title: 4, alias: 2, page: 2, other: 0.5, code: 0.1 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { fuzzy: 0.1, prefix: 0.3 },
      combineWith: 'AND',
    },
  });
  // All languages have the same headings and errors in the same order.
  const others = await Promise.all(languages.filter((other) => other !== language).map(listTargets));
  const withOther = (target: SearchTarget, id: number): Indexed => {
    const same = others.flatMap((targets) => targets[id] ?? []);
    return {
      id,
      ...target,
      alias: same.map(({ title }) => title).join(' '),
      other: same.map(({ text }) => text).join(' '),
    };
  };
  index.addAll((await listTargets(language)).map(withOther));
  return index;
}

/** Up to 30 targets with all words of the query, else with any; the best first. `words` are those that matched. */
async function search(query: string, language: Language): Promise<(SearchTarget & { words: string[] })[]> {
  const making = indexes.get(language) ?? buildIndex(language);
  indexes.set(language, making);
  const index = await making;
  const all = index.search(query);
  const found = all.length > 0 ? all : index.search(query, { combineWith: 'OR' });
  return found.slice(0, 30).map(({ address, title, page, text, code, terms, match }) => {
    const isInCode = Object.values(match).every((fields) => `${fields}` === 'code');
    return { address, title, page, text: isInCode ? code : text, words: terms };
  });
}
