import { z } from 'zod';
import { asDayRange } from '#app/ui/lists/days.ts';
import { daysShape, IdText, NumberText, type QueryOf, SearchText } from '#app/ui/lists/list-query.ts';
import { kinds } from '#server/notifications/kinds.ts';
import type { Manager } from '#server/principals.ts';
import type { SendFilter } from '#server/sends/history/list.ts';
import { recipientStates, sendStates } from '#server/sends/history/states.ts';

/** The filters of the list of sends in its address. A sender is a key's id, or `hand`. */
export const sendQuery = {
  sender: z.union([z.literal('hand'), IdText]),
  kind: z.enum(kinds),
  employee: IdText,
  ...daysShape,
  search: SearchText,
  state: z.enum(sendStates),
  before: NumberText,
};

export type SendQuery = QueryOf<typeof sendQuery>;

export const asSendFilter = (
  { timeZone }: Manager,
  { sender, kind, employee, search, state, ...days }: SendQuery,
): SendFilter => ({
  ...asDayRange(days, timeZone),
  keyId: sender === 'hand' ? undefined : sender,
  isManual: sender === 'hand' || undefined,
  kind,
  employeeId: employee,
  search,
  state,
});

export const recipientQuery = { state: z.enum(recipientStates), search: SearchText, after: IdText };

export type RecipientQuery = QueryOf<typeof recipientQuery>;
