import type { EmployeeFilter } from '#server/employee-list.ts';

/** The query of an address, as Next hands it to a page. */
export type Query = Record<string, string | string[] | undefined>;

const choices = {
  state: ['active', 'inactive'],
  account: ['own', 'none', 'invited', 'uninvited'],
  portal: ['never', 'away', 'silent'],
} as const;

const longestSearch = 120;

/** The filter an address asks for; what it cannot mean is left out. */
export function readFilter(query: Query): EmployeeFilter {
  const choose = <Name extends keyof typeof choices>(name: Name) =>
    choices[name].find((choice) => choice === query[name]) as EmployeeFilter[Name];
  const search = typeof query.q === 'string' ? query.q.toWellFormed().replaceAll('\0', '').trim() : '';
  const filter = { state: choose('state'), account: choose('account'), portal: choose('portal') };
  return { ...filter, search: search.slice(0, longestSearch) || undefined };
}

/** The number of a row, such as an id in an address, or undefined when it is none. */
export function readNumber(text: string | string[] | undefined): number | undefined {
  const number = typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
  return number !== undefined && number <= 2_147_483_647 ? number : undefined;
}

/** The part of an address that asks for this filter: empty, or from its question mark on. */
export function writeFilter(
  { search, state, account, portal }: EmployeeFilter,
  more: Record<string, string> = {},
): string {
  const chosen = Object.entries({ q: search, state, account, portal, ...more });
  const query = new URLSearchParams(chosen.filter((pair): pair is [string, string] => pair[1] !== undefined));
  return query.size > 0 ? `?${query}` : '';
}
