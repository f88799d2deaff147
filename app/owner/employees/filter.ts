import { asSearch, type Query, readWords, withQuery } from '#app/ui/lists/query.ts';
import type { EmployeeFilter } from '#server/employees/employee-list.ts';

const choices = {
  state: ['active', 'inactive'],
  account: ['own', 'none', 'invited', 'uninvited'],
  portal: ['never', 'away', 'silent'],
} as const;

/** The filter an address asks for; what it cannot mean is left out. */
export function readFilter(query: Query): EmployeeFilter {
  const choose = <Name extends keyof typeof choices>(name: Name) =>
    choices[name].find((choice) => choice === query[name]) as EmployeeFilter[Name];
  const filter = { state: choose('state'), account: choose('account'), portal: choose('portal') };
  return { ...filter, search: readWords(query.q) };
}

/** The part of an address that asks for this filter: empty, or from its question mark on. */
export function writeFilter(
  { search, state, account, portal }: EmployeeFilter,
  more: Record<string, string> = {},
): string {
  return withQuery('', asSearch({ q: search, state, account, portal, ...more }));
}
