import { sql } from '#db/client.ts';
import type { PersonTransaction } from '#db/person-transaction.ts';
import { employeeIdOf, type Recipients } from '#server/notifications/audience.ts';
import type { Manager } from '#server/principals.ts';
import { type Draft, textColumns } from '#server/sends/store.ts';

/**
 * A notification that a person wrote. `draftId` is a UUID; all submits of one draft have the same.
 * `mustConfirm` asks for a confirmation even where no rule does. `picture` is the id of a stored one.
 */
export type ManualDraft = Draft & { draftId: string; mustConfirm: boolean; picture?: string | null };

/** What a waiting send, a rule or a template keeps of a draft. */
export type DraftContent = Omit<ManualDraft, 'draftId'>;

/** The columns of a draft in `planned_sends`, `send_rules` and `send_templates`. */
export const draftColumns = () => sql()`recipient_id, to_roles, to_people, ${textColumns()}, must_confirm`;

/** The values of a draft for `draftColumns`. */
export const draftValues = ({ recipients, title, body, kind, url, mustConfirm }: DraftContent) => sql()`
  ${employeeIdOf(recipients) ?? null}::int,
  ${recipients.to === 'roles' ? recipients.roles : null}::text[],
  ${recipients.to === 'people' ? recipients.employeeIds : null}::int[], ${title}, ${body}, ${kind}, ${url}::text,
  ${mustConfirm}::boolean`;

/** Selects a draft of the table or alias `d`, as `DraftContent`. */
export const selectDraft = () => sql()`
  case when d.recipient_id is not null then jsonb_build_object('to', 'one', 'employeeId', d.recipient_id)
    when d.to_roles is not null then jsonb_build_object('to', 'roles', 'roles', d.to_roles)
    when d.to_people is not null then jsonb_build_object('to', 'people', 'employeeIds', d.to_people)
    else jsonb_build_object('to', 'everyone') end as recipients,
  ${textColumns(sql()`d.`)}, d.must_confirm as "mustConfirm"`;

const idsOf = (recipients: Recipients): number[] => {
  if (recipients.to === 'one') return [recipients.employeeId];
  return recipients.to === 'people' ? [...new Set(recipients.employeeIds)] : [];
};

/** Whether all recipients of a draft are employees of the company. */
export async function areInCompany(
  tx: PersonTransaction,
  { companyId }: Manager,
  { recipients }: DraftContent,
): Promise<boolean> {
  const ids = idsOf(recipients);
  if (ids.length === 0) return true;
  const rows = await tx`select from employees where company_id = ${companyId} and id = any(${ids}::bigint[])`;
  return rows.length === ids.length;
}

/** What the audit log says of a planned send or a rule. */
export const asDetails = ({ title, kind, recipients }: DraftContent, leavesAt?: Date) => ({
  title,
  kind,
  leavesAt: leavesAt?.toISOString(),
  employeeId: employeeIdOf(recipients),
  toRoles: recipients.to === 'roles' ? recipients.roles : undefined,
  toPeople: recipients.to === 'people' ? recipients.employeeIds : undefined,
});
