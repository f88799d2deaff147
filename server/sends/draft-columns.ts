import { sql, type Transaction } from '#db/client.ts';
import type { Manager } from '#server/principals.ts';
import type { DraftByHand } from '#server/sends/send.ts';

/** What a waiting send or a rule keeps of a draft. */
export type DraftContent = Omit<DraftByHand, 'draftId'>;

/** The columns of a draft in `planned_sends` and `send_rules`, in the order of `draftValues`. */
export const draftColumns = () => sql()`recipient_id, to_roles, to_people, title, body, kind, url, must_confirm`;

/** The values of a draft for `draftColumns`. */
export const draftValues = ({ recipientId, toRoles, toPeople, title, body, kind, url, mustConfirm }: DraftContent) =>
  sql()`nullif(${recipientId}::int, 0), ${toRoles}::text[], ${toPeople}::int[], ${title}, ${body}, ${kind}, ${url}::text,
    ${mustConfirm}::boolean`;

/** Selects a draft of the table or alias `d`, as `DraftContent`. */
export const selectDraft = () => sql()`
  coalesce(d.recipient_id, 0) as "recipientId", d.to_roles as "toRoles", d.to_people as "toPeople", d.title, d.body,
  d.kind, d.url, d.must_confirm as "mustConfirm"`;

/** Whether all people whom a draft names are of the company. */
export async function areInCompany(
  tx: Transaction,
  { companyId }: Manager,
  { recipientId, toPeople }: DraftContent,
): Promise<boolean> {
  const ids = [...new Set([...(recipientId === 0 ? [] : [recipientId]), ...(toPeople ?? [])])];
  if (ids.length === 0) return true;
  const found = await tx`select from employees where company_id = ${companyId} and id = any(${ids}::bigint[])`;
  return found.length === ids.length;
}

/** What the audit log says of a planned send or a rule. */
export const asDetails = ({ title, kind, recipientId, toRoles, toPeople }: DraftContent, leavesAt?: Date) => ({
  title,
  kind,
  leavesAt: leavesAt?.toISOString(),
  employeeId: recipientId === 0 ? undefined : recipientId,
  toRoles: toRoles ?? undefined,
  toPeople: toPeople ?? undefined,
});
