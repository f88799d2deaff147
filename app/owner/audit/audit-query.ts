import { z } from 'zod';
import { asDayRange } from '#app/ui/lists/days.ts';
import { daysShape, IdText, NumberText, type QueryOf } from '#app/ui/lists/list-query.ts';
import { type AuditFilter, findEmployeesCalled } from '#server/audit/list.ts';
import { auditActions } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/**
 * The filters of the audit log in its address. `who` may be one key or person: `key-7`, `person-12`. `employee` is a
 * name, or the id of a request.
 */
export const auditQuery = {
  who: z.string().regex(/^(?:key|person|system|operator|(?:key|person)-\d{1,9})$/),
  action: z.enum(['change', ...auditActions]),
  key: IdText,
  employee: z.string().regex(/^[^\0]{1,120}$/),
  result: z.enum(['reached', 'nobody']),
  ...daysShape,
  before: NumberText,
};

export type AuditQuery = QueryOf<typeof auditQuery>;

/** The request id for which a query searches. */
export const requestOf = ({ employee }: AuditQuery): string | undefined => z.guid().safeParse(employee).data;

/** Turns the filters of an address into those of the domain. Looks up employees by name. */
export async function asAuditFilter(owner: Owner, query: AuditQuery): Promise<AuditFilter> {
  const { who, action, key, employee, result } = query;
  const requestId = requestOf(query);
  return {
    who: asActor(who),
    action,
    ...asDayRange(query, owner.timeZone),
    keyId: key,
    employeeIds: employee === undefined || requestId ? undefined : await findEmployeesCalled(owner, employee),
    reached: result === undefined ? undefined : result === 'reached',
    requestId,
  };
}

function asActor(text: string | undefined): AuditFilter['who'] {
  const [kind, id] = text?.split('-') ?? [];
  if (id !== undefined) return kind === 'key' ? { keyId: Number(id) } : { accountId: Number(id) };
  return kind as 'key' | 'person' | 'system' | 'operator' | undefined;
}
