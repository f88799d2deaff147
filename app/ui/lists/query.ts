/** The query of an address, as Next hands it to pages. */
export type Query = Record<string, string | string[] | undefined>;

const longestSearch = 120;

/**
 * A positive whole number of at most so many digits, or undefined: an id has nine, a number that
 * grows fifteen.
 */
export function readWhole(text: string | string[] | undefined, digits = 15): number | undefined {
  if (typeof text !== 'string' || !new RegExp(`^[1-9]\\d{0,${digits - 1}}$`).test(text)) return undefined;
  return Number(text);
}

/** The id of an employee, a key and the like. */
export const readId = (text: string | string[] | undefined): number | undefined => readWhole(text, 9);

/** Words to look for: at most 120 characters that the database can take, or undefined. */
export function readWords(text: string | string[] | undefined): string | undefined {
  const words = typeof text === 'string' ? [...text.trim()].slice(0, longestSearch).join('') : '';
  return words.isWellFormed() && !words.includes('\0') && words !== '' ? words : undefined;
}

/** A day of this century that exists, as `2026-11-21`, or undefined. */
export function readDay(text: string | string[] | undefined): string | undefined {
  if (typeof text !== 'string' || !/^20\d\d-\d\d-\d\d$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : undefined;
}

/** The query string of what is set, without its question mark. */
export function asSearch(values: Record<string, string | number | null | undefined>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
}

/** An address with a query, which may be empty. */
export const withQuery = (path: string, query: string): string => (query ? `${path}?${query}` : path);
