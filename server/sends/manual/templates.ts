import { db, findRow, matches, requireRow } from '#db/client.ts';
import { withManager } from '#db/company-row.ts';
import { and, count, eq, sql } from '#db/drizzle.cjs';
import { employees, sendTemplates } from '#db/schema/tables.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Manager } from '#server/principals.ts';
import { areInCompany, type DraftContent, draftFields, draftValues } from '#server/sends/drafts.ts';

const maxTemplates = 200;

export const maxTemplateName = 60;

/** The templates of a company by name, or the one with this id. `recipientName` is the current name. */
export async function listTemplates({ companyId }: Manager, only?: number) {
  const { id, name, recipientId } = sendTemplates;
  return db()
    .select({ id, name, ...draftFields(sendTemplates), recipientName: employees.name })
    .from(sendTemplates)
    .leftJoin(employees, matches(employees, { companyId, id: recipientId }))
    .where(and(eq(sendTemplates.companyId, companyId), only === undefined ? undefined : eq(id, only)))
    .orderBy(sql`lower(${name})`, id)
    .limit(maxTemplates);
}

export type Template = Awaited<ReturnType<typeof listTemplates>>[number];

export const findTemplate = (manager: Manager, id: number) => findRow(listTemplates(manager, id));

/** Keeps a text under a name, unique in a company in any case: as a new template, or in place of `id`. */
export async function saveTemplate(
  manager: Manager,
  id: number | null,
  name: string,
  draft: DraftContent,
): Promise<number | 'name-taken' | 'not-in-company' | 'too-many' | 'gone'> {
  const { companyId, accountId } = manager;
  return withManager(manager, async (tx) => {
    const ofCompany = eq(sendTemplates.companyId, companyId);
    const { was, stored, isTaken } = await requireRow(
      db(tx)
        .select({
          was: sql<string | null>`max(${sendTemplates.name}) filter (where ${sendTemplates.id} = ${id}::int)`,
          stored: count(),
          isTaken: sql<boolean>`coalesce(bool_or(lower(${sendTemplates.name}) = lower(${name})
            and ${sendTemplates.id} is distinct from ${id}::int), false)`,
        })
        .from(sendTemplates)
        .where(ofCompany),
    );
    if (id !== null && was === null) return 'gone';
    if (isTaken) return 'name-taken';
    if (!(await areInCompany(tx, manager, draft))) return 'not-in-company';
    if (id === null && stored >= maxTemplates) return 'too-many';
    const values = { name, ...draftValues(draft) };
    const created = { companyId, createdBy: accountId, ...values };
    const changed = { ...values, changedAt: sql`now()` };
    const fields = { id: sendTemplates.id };
    const saved = await requireRow(
      id === null
        ? db(tx).insert(sendTemplates).values(created).returning(fields)
        : db(tx).update(sendTemplates).set(changed).where(matches(sendTemplates, { companyId, id })).returning(fields),
    );
    const details = { templateId: saved.id, name };
    if (was === null) await recordAudit(tx, manager, 'template.create', details);
    else await recordAudit(tx, manager, 'template.edit', { ...details, was: { name: was } });
    return saved.id;
  });
}

export async function deleteTemplate(manager: Manager, id: number): Promise<'deleted' | 'gone'> {
  return withManager(manager, async (tx) => {
    const isTemplate = matches(sendTemplates, { companyId: manager.companyId, id });
    const [deleted] = await db(tx).delete(sendTemplates).where(isTemplate).returning({ name: sendTemplates.name });
    if (!deleted) return 'gone';
    await recordAudit(tx, manager, 'template.delete', { templateId: id, name: deleted.name });
    return 'deleted';
  });
}
