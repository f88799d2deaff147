import type { useTranslations } from 'next-intl';
import { z } from 'zod';
import { asDayRange } from '#app/ui/lists/days.ts';
import { daysShape, IdText, NumberText, type QueryOf, SearchText } from '#app/ui/lists/list-query.ts';
import type { SentTo } from '#server/notifications/audience.ts';
import { kinds } from '#server/notifications/kinds.ts';
import type { Manager } from '#server/principals.ts';
import type { RecipientFilter } from '#server/sends/history/details.ts';
import type { SendFilter } from '#server/sends/history/send-list.ts';
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

export const asSendFilter = (manager: Manager, { sender, employee, ...query }: SendQuery): SendFilter => ({
  ...asDayRange(query, manager.timeZone),
  keyId: sender === 'hand' ? undefined : sender,
  isManual: sender === 'hand' || undefined,
  kind: query.kind,
  employeeId: employee,
  search: query.search,
  state: query.state,
});

/** The filters of the recipients of a send; those of all states are the rest where some come first. */
export const recipientQuery = { state: z.enum([...recipientStates, 'all']), search: SearchText, after: IdText };

export type RecipientQuery = QueryOf<typeof recipientQuery>;

export const asRecipientFilter = ({ state, search }: RecipientQuery): RecipientFilter => ({
  state: state === 'all' ? undefined : state,
  search,
});

/** What tells who a send was for. A draft has the ids of chosen people, a send counts them. */
type Addressed = {
  recipients: SentTo & { employeeIds?: number[] };
  recipientName: string | null;
  reach?: number;
  skipped?: number | null;
};

/** Says who a send was for: `everyone`, the roles, how many people, or one name. `t` translates `sends`. */
export function sayRecipients(
  { recipients, recipientName, reach = 0, skipped }: Addressed,
  everyone: string,
  t: ReturnType<typeof useTranslations<'sends'>>,
): string {
  if (recipients.to === 'everyone') return everyone;
  if (recipients.to === 'roles') return recipients.roles.join(', ');
  return recipientName ?? t('somePeople', { count: recipients.employeeIds?.length ?? reach + (skipped ?? 0) });
}
