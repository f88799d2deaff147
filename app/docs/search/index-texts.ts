import MiniSearch, { type SearchResult } from 'minisearch';
import { listErrors, listMistakes } from '#app/docs/texts/errors.ts';
import { plainText } from '#app/docs/texts/html-text.ts';
import type { Heading } from '#app/docs/texts/render.ts';
import { findRendered } from '#app/docs/texts/rendered.ts';
import { addressOf, allSlugs, findText } from '#app/docs/texts/texts.ts';
import type { Language } from '#server/api/failures.ts';

/** A place in the documentation: a part of a page under its heading, or an error. */
export type Place = { address: string; title: string; page: string; text: string };
/** A place that a search found, with the words that led to it. */
export type Found = Place & { words: string[] };

const kept = new Map<Language, Promise<MiniSearch<Place & { id: number }>>>();

const tidy = (text: string) => text.replace(/\s+/g, ' ').trim();

/** Divides rendered HTML at its headings; what comes before the first one belongs to the page. */
function divide(html: string, headings: Heading[]): { heading?: Heading; text: string }[] {
  const shown = headings.filter(({ depth }) => depth > 1);
  const starts = shown.map(({ id, depth }) => html.indexOf(`<h${depth} id="${id}"`));
  const part = (from: number, to?: number) =>
    tidy(plainText(html.slice(from, to).replace(/<(h\d|button)\b.*?<\/\1>/g, ' ')));
  return [
    { text: part(0, starts[0]) },
    ...shown.map((heading, at) => ({ heading, text: part(starts[at] ?? 0, starts[at + 1]) })),
  ];
}

async function listPlaces(language: Language): Promise<Place[]> {
  const pages = allSlugs.map(async (slug) => {
    const [rendered, found] = [await findRendered(slug, language), findText(slug, language)];
    const page = found?.title ?? '';
    return divide(rendered?.html ?? '', rendered?.headings ?? []).map(({ heading, text }) => ({
      address: heading ? `${addressOf(slug)}#${heading.id}` : addressOf(slug),
      title: heading?.title ?? page,
      page,
      text,
    }));
  });
  const page = findText('errors', language)?.title ?? '';
  const errors = listErrors(language).flatMap(({ status, rows }) =>
    rows.map(({ code, sentence, cause }) => ({
      address: `/docs/errors#${code}`,
      title: code,
      page: `${page} · ${status}`,
      text: tidy(`${sentence} ${cause}`),
    })),
  );
  const mistakes = (await listMistakes(language)).map(({ name, about, sent, sentence }) => ({
    ...{ address: `/docs/errors#mistake-${name}`, title: about, page, text: tidy(`${sent} ${sentence}`) },
  }));
  return [...(await Promise.all(pages)).flat(), ...errors, ...mistakes];
}

async function buildIndex(language: Language): Promise<MiniSearch<Place & { id: number }>> {
  const index = new MiniSearch<Place & { id: number }>({
    fields: ['title', 'page', 'text'],
    storeFields: ['address', 'title', 'page', 'text'],
    searchOptions: {
      boost: { title: 4, page: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
    },
  });
  index.addAll((await listPlaces(language)).map((place, id) => ({ id, ...place })));
  return index;
}

const asFound = ({ address, title, page, text, terms }: SearchResult): Found => ({
  address,
  title,
  page,
  text,
  words: terms,
});

/** Where the words are, all of them if there is such a place, else any; 30 places at most, the best first. */
export async function search(query: string, language: Language): Promise<Found[]> {
  const making = kept.get(language) ?? buildIndex(language);
  kept.set(language, making);
  const index = await making;
  const all = index.search(query);
  return (all.length > 0 ? all : index.search(query, { combineWith: 'OR' })).slice(0, 30).map(asFound);
}
