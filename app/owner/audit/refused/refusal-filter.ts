import { z } from 'zod';
import { notedCodes } from '#app/owner/audit/refused/refusal-words.ts';
import { asSearch, type Query, withQuery } from '#app/ui/lists/query.ts';
import type { RefusalFilter } from '#server/keys/refusals.ts';

const Key = z.union([
  z.literal('none'),
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
]);
const Search = z.object({
  key: Key.optional().catch(undefined),
  reason: z.enum(notedCodes).optional().catch(undefined),
  day: z.iso.date().optional().catch(undefined),
  request: z.string().trim().max(100).optional().catch(undefined),
  before: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .optional()
    .catch(undefined),
});

/** A filter that can be asked for; `invalidRequest` says that what was given as a request id is none. */
export type ReadFilter = { filter: RefusalFilter; before?: number; invalidRequest: boolean };

/** The filters of an address; what makes no sense is left out. */
export function readRefusalFilter(search: Query): ReadFilter {
  const { key, reason, day, request, before } = Search.parse(search);
  const filter = { key, code: reason, day };
  if (!request) return { filter, before, invalidRequest: false };
  const invalidRequest = !z.guid().safeParse(request).success;
  return { filter: invalidRequest ? filter : { ...filter, requestId: request }, before, invalidRequest };
}

/** The same filters as an address, with some of them changed or left out (undefined). */
export function refusalAddress(path: string, { key, code, day, requestId }: RefusalFilter, before?: number): string {
  return withQuery(path, asSearch({ key, reason: code, day, request: requestId, before }));
}
