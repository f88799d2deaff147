import type { MenuPage } from '#app/signed-in/menu.ts';
import type messages from '#messages/id/icu/pages.json';
import synonyms from '#messages/search-words.json';

/** An action or a setting that the search finds. `name` is a text below `search.places`. */
type Place = { href: string; name: keyof typeof messages.search.places; managers?: boolean };

const places: Place[] = [
  { href: '/owner/sends/new', name: 'send', managers: true },
  { href: '/owner/sends/templates/new', name: 'newTemplate', managers: true },
  { href: '/owner/employees/import', name: 'import', managers: true },
  { href: '/owner/employees/join', name: 'joinLink', managers: true },
  { href: '/owner/settings#language', name: 'language', managers: true },
  { href: '/owner/settings#theme', name: 'theme', managers: true },
  { href: '/owner/settings#password', name: 'password', managers: true },
  { href: '/owner/settings#passkeys', name: 'passkeys', managers: true },
  { href: '/owner/settings#sessions', name: 'sessions', managers: true },
  { href: '/owner/settings#name', name: 'ownName', managers: true },
  { href: '/owner/settings/company#company', name: 'timeZone' },
  { href: '/owner/settings/company#logo-title', name: 'logo' },
  { href: '/owner/settings/company#links', name: 'links' },
  { href: '/owner/settings/company#bell', name: 'bell' },
  { href: '/owner/settings/access#provider', name: 'provider' },
  { href: '/owner/settings/data#export', name: 'export' },
  { href: '/owner/settings/data#retention', name: 'retention' },
];

/** A page or action that was found; a page's text is below `nav`, another's below `search.places`. */
export type FoundPlace = { href: string } & ({ page: MenuPage['name'] } | { place: Place['name'] });

/** Finds pages and, first, actions: each typed word begins a word of a name or of a synonym in either language. */
export function findPlaces(typed: string, pages: MenuPage[], nameOf: (place: FoundPlace) => string): FoundPlace[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (text: string) => {
    const all = text.toLowerCase().split(/[\s,&()]+/);
    return words.every((word) => all.some((part) => part.startsWith(word)));
  };
  const known: Record<string, string> = synonyms.pages;
  const isOwner = pages.some(({ name }) => name === 'company');
  const pairs: [FoundPlace, string][] = [
    ...places
      .filter(({ managers }) => words.length > 0 && (isOwner || managers))
      .map(({ href, name }): [FoundPlace, string] => [{ href, place: name }, synonyms.places[name]]),
    ...pages.map(({ href, name }): [FoundPlace, string] => [{ href, page: name }, known[name] ?? '']),
  ];
  return pairs.filter(([place, extra]) => matches(`${nameOf(place)} ${extra}`)).map(([place]) => place);
}
