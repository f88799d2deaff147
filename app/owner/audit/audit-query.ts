import { z } from 'zod';
import { DayText, IdText, NumberText, type QueryOf } from '#app/ui/lists/list-query.ts';
import { type AuditFilter, findEmployeesCalled } from '#server/audit/filter.ts';
import { auditActions } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';
import { timeOfRequest } from '#server/request-id.ts';

/**
 * The filters of the audit log in its address. `who` may name one key or person: `key-7`,
 * `person-12`.
 */
export const auditQuery = {
  who: z.string().regex(/^(?:key|person|system|operator|(?:key|person)-\d{1,9})$/),
  action: z.enum(['change', ...auditActions]),
  key: IdText,
  employee: z.string().regex(/^[^\0]{1,120}$/),
  result: z.enum(['reached', 'nobody']),
  from: DayText,
  to: DayText,
  request: z.string().regex(/^[^\0]{1,100}$/),
  before: NumberText,
};

/** The parameters that `auditQuery` reads. */
export type AuditQuery = QueryOf<typeof auditQuery>;

/** Turns the filters of an address into those of the domain. Looks up employees by name. */
export async function asAuditFilter(owner: Owner, query: AuditQuery): Promise<AuditFilter> {
  const { who, action, key, employee, result, from, to, request } = query;
  return {
    who: asActor(who),
    action,
    from,
    to,
    keyId: key,
    employeeIds: employee === undefined ? undefined : await findEmployeesCalled(owner, employee),
    reached: result === undefined ? undefined : result === 'reached',
    requestId: request,
  };
}

function asActor(text: string | undefined): AuditFilter['who'] {
  const [kind, id] = text?.split('-') ?? [];
  if (id !== undefined) return kind === 'key' ? { keyId: Number(id) } : { accountId: Number(id) };
  return kind as 'key' | 'person' | 'system' | 'operator' | undefined;
}

/** Why a search for a request id found nothing. */
export function findRequestProblem(request: string): 'notAnId' | 'tooOld' | 'notFound' {
  if (!z.guid().safeParse(request).success) return 'notAnId';
  return timeOfRequest(request) === null ? 'tooOld' : 'notFound';
}
