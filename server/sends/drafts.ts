import { countRows, db } from '#db/client.ts';
import type { PersonTransaction } from '#db/company-row.ts';
import { sql } from '#db/drizzle.cjs';
import { employees, notifications, plannedSends, type sendRules, type sendTemplates } from '#db/schema/tables.ts';
import { employeeIdOf, type Recipients } from '#server/notifications/audience.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { Manager } from '#server/principals.ts';
import type { Draft, PersonsText } from '#server/sends/store.ts';

/**
 * A notification of a person. All submits of one draft have its `draftId`, a UUID. `mustConfirm`: even where no rule
 * asks for it. `picture`: the id of a stored one.
 */
export type ManualDraft = Draft & PersonsText & { draftId: string; mustConfirm: boolean; picture?: string | null };

/** What a waiting send, a rule or a template keeps of a draft. */
export type DraftContent = Omit<ManualDraft, 'draftId'>;

/** What `planned_sends`, `send_rules` and `send_templates` store of a draft. */
export const draftValues = ({ recipients, title, body, kind, url, mustConfirm, answers = null }: DraftContent) => ({
  recipientId: employeeIdOf(recipients) ?? null,
  toRoles: recipients.to === 'roles' ? recipients.roles : null,
  toPeople: recipients.to === 'people' ? recipients.employeeIds : null,
  title,
  body,
  kind,
  url,
  mustConfirm,
  answers,
});

/** The fields of a `DraftContent` that such a table stores. */
export const draftFields = <Table extends typeof plannedSends | typeof sendRules | typeof sendTemplates>(
  table: Table,
) => ({
  recipients: sql<Recipients>`
    case when ${table.recipientId} is not null then jsonb_build_object('to', 'one', 'employeeId', ${table.recipientId})
      when ${table.toRoles} is not null then jsonb_build_object('to', 'roles', 'roles', ${table.toRoles})
      when ${table.toPeople} is not null then jsonb_build_object('to', 'people', 'employeeIds', ${table.toPeople})
      else jsonb_build_object('to', 'everyone') end`,
  title: table.title as Table['title'],
  body: table.body as Table['body'],
  kind: sql<Kind>`${table.kind}`,
  url: table.url as Table['url'],
  mustConfirm: table.mustConfirm as Table['mustConfirm'],
  answers: table.answers as Table['answers'],
});

const idsOf = (recipients: Recipients): number[] => {
  if (recipients.to === 'one') return [recipients.employeeId];
  return recipients.to === 'people' ? [...new Set(recipients.employeeIds)] : [];
};

export async function areInCompany(tx: PersonTransaction, { companyId }: Manager, { recipients }: DraftContent) {
  const ids = idsOf(recipients);
  if (ids.length === 0) return true;
  // The numbers are a person's own: one may be above every int.
  const areChosen = sql`${employees.id} = any(${sql.param(ids)}::bigint[])`;
  return (await countRows(db(tx), employees, { companyId }, areChosen)) === ids.length;
}

/** What the audit log says of a planned send or a rule. */
export const asDetails = ({ title, kind, recipients, answers }: DraftContent, leavesAt?: Date) => ({
  title,
  kind,
  answers: answers ?? undefined,
  leavesAt: leavesAt?.toISOString(),
  employeeId: employeeIdOf(recipients),
  toRoles: recipients.to === 'roles' ? recipients.roles : undefined,
  toPeople: recipients.to === 'people' ? recipients.employeeIds : undefined,
});

/** Whether a draft was sent. In a transaction that holds the company's row, it stays as it is until the commit. */
export const isSent = async (tx: PersonTransaction, { companyId }: Manager, draftId: string): Promise<boolean> =>
  (await countRows(db(tx), notifications, { companyId, draftId })) > 0;

/** Whether a draft waits to leave, was undone or was missed, as `isSent`. */
export const isQueued = async (tx: PersonTransaction, { companyId }: Manager, draftId: string): Promise<boolean> =>
  (await countRows(db(tx), plannedSends, { companyId, draftId })) > 0;
