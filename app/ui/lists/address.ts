export const maxSearchLength = 120;

/**
 * Makes an address from a path and query parameters. Leaves out parameters that are undefined, null
 * or empty. Several numbers have commas between them.
 */
export function addressOf(path: string, query: Record<string, string | number | number[] | null | undefined>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Whether a query filters its list. Its page, `before` or `after`, and its order do not count. */
export const hasFilter = (query: object): boolean =>
  Object.keys(query).some((name) => !['before', 'after', 'sort'].includes(name));
