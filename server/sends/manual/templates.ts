import { findRow, sql } from '#db/client.ts';
import { asManager } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Manager } from '#server/principals.ts';
import {
  areInCompany,
  type DraftContent,
  draftColumns,
  draftValues,
  selectDraft,
} from '#server/sends/manual/drafts.ts';

const maxTemplates = 200;

export const maxTemplateName = 60;

/** A text with its recipients that is kept under a name. `recipientName` is the current name. */
export type Template = DraftContent &
  Pick<Rows['sendTemplates'], 'id' | 'name'> & { recipientName: Rows['employees']['name'] | null };

const selectTemplates = ({ companyId }: Manager, id: number | null) => sql()<Template[]>`
  select d.id, d.name, ${selectDraft()}, e.name as "recipientName"
  from send_templates d left join employees e on e.company_id = d.company_id and e.id = d.recipient_id
  where d.company_id = ${companyId} and (${id}::int is null or d.id = ${id}::int)
  order by lower(d.name), d.id limit ${maxTemplates}`;

export async function listTemplates(manager: Manager): Promise<Template[]> {
  return selectTemplates(manager, null);
}

export async function findTemplate(manager: Manager, id: number): Promise<Template | null> {
  return findRow(selectTemplates(manager, id));
}

/**
 * Keeps a text under a name, with an audit entry: as a new template, or with an `id` in place of that
 * one. Names are unique in a company, in any case. Returns the template's id, or why it is not stored.
 */
export async function saveTemplate(
  manager: Manager,
  id: number | null,
  name: string,
  draft: DraftContent,
): Promise<number | 'name-taken' | 'not-in-company' | 'too-many' | 'gone'> {
  const { companyId, accountId } = manager;
  return asManager(manager, async (tx) => {
    const [state] = await tx<{ was: string | null; count: number; isTaken: boolean }[]>`
      select max(name) filter (where id = ${id}::int) as was, count(*)::int as count,
        coalesce(bool_or(lower(name) = lower(${name}) and id is distinct from ${id}::int), false) as "isTaken"
      from send_templates where company_id = ${companyId}`;
    const { was, count, isTaken } = state ?? { was: null, count: 0, isTaken: false };
    if (id !== null && was === null) return 'gone';
    if (isTaken) return 'name-taken';
    if (!(await areInCompany(tx, manager, draft))) return 'not-in-company';
    if (id === null && count >= maxTemplates) return 'too-many';
    const [saved] =
      id === null
        ? await tx<{ id: number }[]>`
          insert into send_templates (company_id, name, ${draftColumns()}, created_by)
          select ${companyId}, ${name}, ${draftValues(draft)}, ${accountId} returning id`
        : await tx<{ id: number }[]>`
          update send_templates set name = ${name}, (${draftColumns()}) = (select ${draftValues(draft)}), changed_at = now()
          where company_id = ${companyId} and id = ${id} returning id`;
    if (!saved) throw new Error('the template was not stored');
    const details = { templateId: saved.id, name };
    if (was === null) await recordAudit(tx, manager, 'template.create', details);
    else await recordAudit(tx, manager, 'template.edit', { ...details, was: { name: was } });
    return saved.id;
  });
}

export async function deleteTemplate(manager: Manager, id: number): Promise<'deleted' | 'gone'> {
  return asManager(manager, async (tx) => {
    const [deleted] = await tx<Pick<Rows['sendTemplates'], 'name'>[]>`
      delete from send_templates where company_id = ${manager.companyId} and id = ${id} returning name`;
    if (!deleted) return 'gone';
    await recordAudit(tx, manager, 'template.delete', { templateId: id, name: deleted.name });
    return 'deleted';
  });
}
