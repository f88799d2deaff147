import { asSearch, type Query, readDay, readId, readWords } from '#app/ui/lists/query.ts';
import { kinds } from '#server/notifications/kinds.ts';
import type { SendFilter } from '#server/sends/list.ts';
import type { RecipientFilter } from '#server/sends/recipients.ts';
import { recipientStates, sendStates } from '#server/sends/states.ts';

export { recipientStates, sendStates };

/** The filter of sends that an address asks for; what is not understood is left out. */
export function readSendFilter({ sender, kind, employee, day, search, state }: Query): SendFilter {
  return {
    keyId: sender === 'hand' ? undefined : readId(sender),
    byHand: sender === 'hand' || undefined,
    kind: kinds.find((one) => one === kind),
    employeeId: readId(employee),
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
