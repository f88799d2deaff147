import { kinds } from '#server/notification-kind.ts';
import type { SendFilter } from '#server/sends/list.ts';
import type { RecipientFilter } from '#server/sends/people.ts';
import { recipientStates, sendStates } from '#server/sends/states.ts';

export { recipientStates, sendStates };

/** The query of an address, as Next hands it to pages. */
export type Query = Record<string, string | string[] | undefined>;

const longestSearch = 120;

/** A positive number that a column can hold, or undefined. */
export function readNo(text: string | string[] | undefined, digits = 15): number | undefined {
  if (typeof text !== 'string' || !new RegExp(`^[1-9]\\d{0,${digits - 1}}$`).test(text)) return undefined;
  return Number(text);
}

function readWords(text: string | string[] | undefined): string | undefined {
  const words = typeof text === 'string' ? [...text.trim()].slice(0, longestSearch).join('') : '';
  return words.isWellFormed() && !words.includes('\0') && words !== '' ? words : undefined;
}

function readDay(text: string | string[] | undefined): string | undefined {
  if (typeof text !== 'string' || !/^20\d\d-\d\d-\d\d$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : undefined;
}

/** The filter of sends that an address asks for; what is not understood is left out. */
export function readSendFilter({ sender, kind, employee, day, search, state }: Query): SendFilter {
  return {
    keyId: sender === 'hand' ? undefined : readNo(sender, 9),
    byHand: sender === 'hand' || undefined,
    kind: kinds.find((one) => one === kind),
    employeeId: readNo(employee, 9),
    day: readDay(day),
    search: readWords(search),
    state: sendStates.find((one) => one === state),
  };
}

/** The query string of a filter of sends, without its question mark; `before` is the page. */
export function asSendQuery({ keyId, byHand, ...rest }: SendFilter, before?: number | null): string {
  const { employeeId, ...others } = rest;
  return asSearch({ sender: byHand ? 'hand' : keyId, employee: employeeId, ...others, before });
}

/** The filter of a send's people that an address asks for. */
export function readRecipientFilter({ state, search }: Query): RecipientFilter {
  return { state: recipientStates.find((one) => one === state), search: readWords(search) };
}

/** The query string of what is set, without its question mark. */
export function asSearch(values: Record<string, string | number | null | undefined>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  return new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
}

/** An address with a query, which may be empty. */
export const withQuery = (path: string, query: string): string => (query ? `${path}?${query}` : path);
