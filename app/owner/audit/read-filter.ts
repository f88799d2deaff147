import { asSearch, type Query, readDay, withQuery } from '#app/ui/lists/query.ts';
import { type AuditFilter, findEmployeesCalled } from '#server/audit/filter.ts';
import { auditActions } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';
import { timeOfRequest } from '#server/request-id.ts';

/** The filters of the audit log as they stand in the address; what makes no sense there is passed over. */
export type AuditSearch = Partial<
  Record<'who' | 'action' | 'key' | 'employee' | 'result' | 'from' | 'to' | 'request' | 'before', string>
>;

const rules: Record<keyof AuditSearch, RegExp> = {
  who: /^(?:key|person|system|(?:key|person)-\d{1,9})$/,
  action: new RegExp(`^(?:change|${auditActions.join('|').replaceAll('.', '\\.')})$`),
  key: /^\d{1,9}$/,
  employee: /^[^\0]{1,120}$/,
  result: /^(?:reached|nobody)$/,
  from: /^20\d\d-\d\d-\d\d$/,
  to: /^20\d\d-\d\d-\d\d$/,
  request: /^[^\0]{1,100}$/,
  before: /^\d{1,15}$/,
};

/** Reads the address of a page or of its CSV. */
export function readAuditSearch(given: Query): AuditSearch {
  const known = Object.entries(rules).flatMap(([name, rule]) => {
    const value = given[name];
    const text = typeof value === 'string' ? value.trim() : '';
    if (!rule.test(text) || ((name === 'from' || name === 'to') && !readDay(text))) return [];
    return [[name, text]];
  });
  return Object.fromEntries(known) as AuditSearch;
}

/** The filter an address stands for, for the domain. */
export async function asAuditFilter(owner: Owner, search: AuditSearch): Promise<AuditFilter> {
  const { who, action, key, employee, result, from, to, request } = search;
  return {
    who: asWho(who),
    ...{ action, from, to },
    keyId: key ? Number(key) : undefined,
    employeeIds: employee ? await findEmployeesCalled(owner, employee) : undefined,
    reached: result ? result === 'reached' : undefined,
    requestId: request,
  };
}

function asWho(text: string | undefined): AuditFilter['who'] {
  const [kind, id] = text?.split('-') ?? [];
  if (id !== undefined) return kind === 'key' ? { keyId: Number(id) } : { accountId: Number(id) };
  return kind as 'key' | 'person' | 'system' | undefined;
}

/** The address of the audit log with these filters, from its beginning or older than an entry. */
export function auditAddress(search: AuditSearch, changes: AuditSearch = {}, path = '/owner/audit'): string {
  return withQuery(path, asSearch({ ...search, ...changes }));
}

/** What can be said of an id that was searched for and not found. */
export const requestProblem = (request: string): 'notAnId' | 'tooOld' | 'notFound' => {
  const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(request);
  if (!isId) return 'notAnId';
  return timeOfRequest(request) === null ? 'tooOld' : 'notFound';
};
