import { z } from 'zod';
import { loggedCodes } from '#app/owner/audit/refused/refusal-texts.ts';
import { asDayRange } from '#app/ui/lists/days.ts';
import { daysShape, IdText, NumberText, type QueryOf } from '#app/ui/lists/list-query.ts';
import type { RefusalFilter } from '#server/keys/refusals.ts';
import type { Owner } from '#server/principals.ts';

/** The filters of the refused calls in their address. Key `none`: calls without a key. */
export const refusalQuery = {
  key: z.union([z.literal('none'), IdText]),
  reason: z.enum(loggedCodes),
  ...daysShape,
  request: z.string().max(100),
  before: NumberText,
};

/** The parameters that `refusalQuery` reads. */
export type RefusalQuery = QueryOf<typeof refusalQuery>;

/** Turns the filters of an address into those of the domain. */
export function asRefusalFilter(
  { timeZone }: Owner,
  { key, reason, request, ...days }: RefusalQuery,
): RefusalFilter | 'not-a-request-id' {
  if (request !== undefined && !z.guid().safeParse(request).success) return 'not-a-request-id';
  return { key, code: reason, ...asDayRange(days, timeZone), requestId: request };
}
