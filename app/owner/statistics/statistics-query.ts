import { z } from 'zod';

/** A month of this century as `2026-11`. */
export const MonthText = z.string().regex(/^20\d\d-(?:0[1-9]|1[0-2])$/);

/** The month that is `count` months after this one; before it with a negative count. */
export function addMonths(month: string, count: number): string {
  const [year = 0, one = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, one - 1 + count, 1)).toISOString().slice(0, 7);
}

export function listMonths(from: string, to: string): string[] {
  const months: string[] = [];
  for (let month = from; month <= to; month = addMonths(month, 1)) months.push(month);
  return months;
}

/** What part a count is of its whole, in percent; null of nothing. */
export const percentOf = (count: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((100 * count) / whole);
