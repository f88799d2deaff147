import { sql } from '#db/client.ts';
import { asManager, type PersonTransaction } from '#db/person-transaction.ts';
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

/** The most characters of a template's name. */
export const maxTemplateName = 60;

/** A text with its recipients that is kept under a name. `recipientName` is the current name. */
export type Template = DraftContent &
  Pick<Rows['sendTemplates'], 'id' | 'name'> & { recipientName: Rows['employees']['name'] | null };

type NotStored = 'name-taken' | 'not-in-company' | 'too-many' | 'gone';

const selectTemplates = ({ companyId }: Manager, id: number | null) => sql()<Template[]>`
  select d.id, d.name, ${selectDraft()}, e.name as "recipientName"
  from send_templates d left join employees e on e.company_id = d.company_id and e.id = d.recipient_id
  where d.company_id = ${companyId} and (${id}::int is null or d.id = ${id}::int)
  order by lower(d.name), d.id limit ${maxTemplates}`;

/** The company's templates by name. */
export async function listTemplates(manager: Manager): Promise<Template[]> {
  return selectTemplates(manager, null);
}

/** A template of the company, or null. */
export async function findTemplate(manager: Manager, id: number): Promise<Template | null> {
  const [template] = await selectTemplates(manager, id);
  return template ?? null;
}

/**
 * Keeps a text under a name, with an audit entry. Names are unique in a company, whatever their
 * case. Returns the template's id, or why it is not stored.
 */
export async function addTemplate(
  manager: Manager,
  name: string,
  draft: DraftContent,
): Promise<number | Exclude<NotStored, 'gone'>> {
  const { companyId, accountId } = manager;
  return asManager(manager, async (tx) => {
    const problem = await findProblem(tx, manager, null, name, draft);
    if (problem) return problem;
    const [counted] = await tx<{ count: number }[]>`
      select count(*)::int as count from send_templates where company_id = ${companyId}`;
    if ((counted?.count ?? 0) >= maxTemplates) return 'too-many';
    const [added] = await tx<{ id: number }[]>`
      insert into send_templates (company_id, name, ${draftColumns()}, created_by)
      select ${companyId}, ${name}, ${draftValues(draft)}, ${accountId} returning id`;
    if (!added) throw new Error('the template was not inserted');
    await recordAudit(tx, manager, 'template.create', { templateId: added.id, name });
    return added.id;
  });
}

/** Changes name, text and recipients of a template, with an audit entry. */
export async function changeTemplate(
  manager: Manager,
  id: number,
  name: string,
  draft: DraftContent,
): Promise<'changed' | Exclude<NotStored, 'too-many'>> {
  const { companyId } = manager;
  return asManager(manager, async (tx) => {
    const [was] = await tx<Pick<Rows['sendTemplates'], 'name'>[]>`
      select name from send_templates where company_id = ${companyId} and id = ${id}`;
    if (!was) return 'gone';
    const problem = await findProblem(tx, manager, id, name, draft);
    if (problem) return problem;
    await tx`
      update send_templates set name = ${name}, (${draftColumns()}) = (select ${draftValues(draft)}), changed_at = now()
      where company_id = ${companyId} and id = ${id}`;
    await recordAudit(tx, manager, 'template.edit', { templateId: id, name, was });
    return 'changed';
  });
}

/** Deletes a template, with an audit entry. */
export async function deleteTemplate(manager: Manager, id: number): Promise<'deleted' | 'gone'> {
  return asManager(manager, async (tx) => {
    const [deleted] = await tx<Pick<Rows['sendTemplates'], 'name'>[]>`
      delete from send_templates where company_id = ${manager.companyId} and id = ${id} returning name`;
    if (!deleted) return 'gone';
    await recordAudit(tx, manager, 'template.delete', { templateId: id, name: deleted.name });
    return 'deleted';
  });
}

async function findProblem(
  tx: PersonTransaction,
  manager: Manager,
  id: number | null,
  name: string,
  draft: DraftContent,
): Promise<'name-taken' | 'not-in-company' | null> {
  const others = await tx`
    select from send_templates
    where company_id = ${manager.companyId} and lower(name) = lower(${name}) and id is distinct from ${id}::int`;
  if (others.length > 0) return 'name-taken';
  return (await areInCompany(tx, manager, draft)) ? null : 'not-in-company';
}
