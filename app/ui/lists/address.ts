export const maxSearchLength = 120;

/** An address with its query: undefined, null and empty ones are left out, numbers are joined by commas. */
export function addressOf(path: string, query: Record<string, string | number | number[] | null | undefined>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Whether a query filters its list. Its page, `before` or `after`, and its order do not count. */
export const hasFilter = (query: object): boolean =>
  Object.keys(query).some((name) => !['before', 'after', 'sort'].includes(name));

/** The address of this page without `proof`, which says how re-authentication at a provider ended. */
export function pageWithoutProof(): string {
  const { pathname, searchParams } = new URL(location.href);
  searchParams.delete('proof');
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname;
}
