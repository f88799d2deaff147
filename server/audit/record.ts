import { db, type Rows, requireRow, type Sql, type Transaction } from '#db/client.ts';
import { type PersonTransaction, withOwner } from '#db/company-row.ts';
import { type AnyPgColumn, eq, sql } from '#db/drizzle.cjs';
import { companies } from '#db/schema/tables.ts';
import type { Manager, Owner } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';

const verbs = {
  company: ['create', 'edit', 'forget', 'sign-out', 'require-provider', 'allow-all-methods'],
  notification: ['send', 'undo', 'withdraw', 'remind', 'correct', 'close', 'confirm', 'answer'],
  template: ['create', 'edit', 'delete'],
  plan: ['create', 'edit', 'cancel', 'send', 'miss'],
  rule: ['create', 'edit', 'skip', 'end'],
  key: ['create', 'replace', 'edit', 'revoke'],
  employee: ['add', 'import', 'edit', 'activate', 'deactivate', 'sign-out', 'remind'],
  join: ['open', 'show', 'close', 'request', 'approve', 'decline'],
  owner: ['invite', 'uninvite', 'join', 'make', 'remove', 'leave', 'sign-out', 'link', 'renew', 'demote'],
  manager: ['invite', 'uninvite', 'join', 'make', 'promote', 'remove', 'leave', 'sign-out', 'link', 'renew'],
  invitation: ['create', 'show', 'accept'],
  account: ['rename'],
  password: ['change'],
  identity: ['link', 'move', 'unlink'],
  passkey: ['add', 'remove'],
  recovery: ['make', 'use'],
  session: ['end'],
  bell: ['open', 'end'],
  alarm: ['dismiss', 'add-device', 'remove-device'],
  export: ['create'],
  access: ['deny'],
} as const;

type Verbs = typeof verbs;

/** An action that the audit log records, as `noun.verb`. */
export type AuditAction = { [Noun in keyof Verbs]: `${Noun}.${Verbs[Noun][number]}` }[keyof Verbs];

export const auditActions = Object.entries(verbs).flatMap(([noun, list]) =>
  list.map((verb) => `${noun}.${verb}` as AuditAction),
);

/** Who made the change: an account with its current name, the service itself, or its operator. */
type Actor =
  | { companyId: number; accountId: number; name: string }
  | { companyId: number; kind: 'system' | 'operator' };

/** The content of an entry, without secrets, findable by `keyId` and `employeeId`. Old entries keep their names. */
type AuditDetails = Record<string, unknown> & { keyId?: number; employeeId?: number };

// What an owner or manager does needs a transaction in which their rights were checked.
type TransactionOf<Who extends Actor> = Who extends Pick<Manager, 'kind'> ? PersonTransaction : Transaction;

/**
 * Writes an entry of the audit log, or one for each of a list in its order, in the transaction of the change, so that
 * both commit together. Only this statement and those of sends (`store_notification`) write into the log.
 */
export async function recordAudit<Who extends Actor>(
  tx: TransactionOf<Who>,
  actor: Who,
  action: AuditAction,
  details: AuditDetails | AuditDetails[],
  requestId: string = newRequestId(),
): Promise<void> {
  const [kind, id, name] = 'accountId' in actor ? ['account', actor.accountId, actor.name] : [actor.kind, null, ''];
  // As text: the builder has no list of JSON, and its text would differ for each number of entries.
  await db(tx).execute(sql`
    insert into audit_log (company_id, actor_kind, actor_id, actor_name, action, details, request_id, key_id, employee_id)
    select ${actor.companyId}, ${kind}, ${id}::int, ${name}, ${action}, entry, ${requestId},
      (entry->>'keyId')::int, (entry->>'employeeId')::int
    from jsonb_array_elements(${JSON.stringify([details].flat())}::text::jsonb) with ordinality as e (entry, at) order by at`);
}

/** Compares values before and after a change, for `details`; null when nothing differs. */
export function findChanges<Values extends object>(was: Values, newValues: Values) {
  const names = (Object.keys(newValues) as (keyof Values)[]).filter((name) => was[name] !== newValues[name]);
  const pick = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Values>;
  return names.length > 0 ? { changes: pick(newValues), was: pick(was) } : null;
}

type Name = keyof Rows['companies'];

export async function findSettings<Names extends Name>(
  { companyId }: Pick<Manager, 'companyId'>,
  names: Names[],
  from?: Sql | Transaction,
): Promise<Pick<Rows['companies'], Names>> {
  const columns: Record<string, AnyPgColumn> = Object.fromEntries(names.map((name) => [name, companies[name]]));
  const row = await requireRow(db(from).select(columns).from(companies).where(eq(companies.id, companyId)));
  return row as unknown as Pick<Rows['companies'], Names>;
}

/** Changes columns of the owner's company, with one audit entry. `follow` runs in the same transaction. */
export async function changeSettings<Names extends Name>(
  owner: Owner,
  settings: Pick<Rows['companies'], Names>,
  follow?: (tx: PersonTransaction) => Promise<unknown>,
): Promise<'changed' | 'unchanged'> {
  return withOwner(owner, async (tx) => {
    const names = Object.keys(settings) as Names[];
    const was = await findSettings(owner, names, tx);
    const changed = findChanges(asTexts(was), asTexts(settings));
    if (!changed) return 'unchanged';
    await db(tx).update(companies).set(settings).where(eq(companies.id, owner.companyId));
    await recordAudit(tx, owner, 'company.edit', changed);
    await follow?.(tx);
    return 'changed';
  });
}

// The audit log has a list as one text.
function asTexts(settings: object) {
  const asText = (value: unknown) => (Array.isArray(value) ? value.join(', ') : value);
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, asText(value)]));
}
