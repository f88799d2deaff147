import MiniSearch from 'minisearch';
import { addressOf, allSlugs, findText } from '#app/docs/texts/doc-texts.ts';
import { findRendered } from '#app/docs/texts/pages.ts';
import { type Heading, plainText } from '#app/docs/texts/render.ts';
import { type Language, languages } from '#platform/language.ts';

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
export async function search(query: string, language: Language): Promise<(SearchTarget & { words: string[] })[]> {
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
