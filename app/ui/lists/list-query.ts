import { z } from 'zod';
import { maxSearchLength } from '#app/ui/lists/address.ts';
import { asIsoDay, dayPresets } from '#app/ui/lists/days.ts';

export { addressOf, hasFilter } from '#app/ui/lists/address.ts';

export type SearchParams = Record<string, string | string[] | undefined>;

const wholeNumber = (maxDigits: number) =>
  z
    .string()
    .regex(new RegExp(`^[1-9]\\d{0,${maxDigits - 1}}$`))
    .transform(Number);

/** The id of an employee, a key and the like: a positive whole number of at most 9 digits. */
export const IdText = wholeNumber(9);

/** The number of a notification or a log entry: a positive whole number of at most 15 digits. */
export const NumberText = wholeNumber(15);

/** Words to search for, cut to 120 characters. Refuses text that PostgreSQL cannot store. */
export const SearchText = z
  .string()
  .transform((text) => [...text].slice(0, maxSearchLength).join(''))
  .refine((text) => text.isWellFormed() && !text.includes('\0'));

/** An existing day of this century, as `2026-11-21` or as people write it, `21/11/2026`. */
export const DayText = z.string().transform((text, context) => {
  const day = asIsoDay(text);
  if (day === null) context.addIssue({ code: 'custom', message: 'no such day' });
  return day ?? '';
});

export const daysShape = { days: z.enum(dayPresets), from: DayText, to: DayText };

/** The parameters of a list's address: the name of each one and the schema of its text. */
export type QueryShape = Record<string, z.ZodType<string | number | number[]>>;

/** The valid parameters of an address; a missing key means that the parameter does not filter. */
export type QueryOf<Shape extends QueryShape> = { [Name in keyof Shape]?: z.output<Shape[Name]> };

/** Reads the parameters of a list, without what is missing, empty, repeated (pages only) or invalid. */
export function readQuery<Shape extends QueryShape>(
  shape: Shape,
  query: SearchParams | URLSearchParams,
): QueryOf<Shape> {
  const texts: SearchParams = query instanceof URLSearchParams ? Object.fromEntries(query) : query;
  const valid = Object.entries(shape).flatMap(([name, schema]) => {
    const text = texts[name];
    const parsed = typeof text === 'string' && text.trim() !== '' ? schema.safeParse(text.trim()) : null;
    return parsed?.success ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(valid) as QueryOf<Shape>;
}
