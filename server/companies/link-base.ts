import { sql } from '#db/client.ts';
import { asOwner } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { isTrial } from '#platform/config/settings.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import { type LinkBaseProblem, readLinkBase } from '#server/notifications/link-target.ts';
import type { Manager, Owner } from '#server/principals.ts';

type LinkBase = Pick<Rows['companies'], 'linkBase'>;

/** The address of the company's own portal, to which paths of notifications lead, or null. */
export async function findLinkBase({ companyId }: Manager): Promise<string | null> {
  const [company] = await sql()<LinkBase[]>`select link_base as "linkBase" from companies where id = ${companyId}`;
  return company?.linkBase ?? null;
}

/**
 * Changes the address of the company's own portal; an empty text removes it. Warns the other
 * owners, because it decides where the links of all notifications lead, also of earlier ones.
 */
export async function changeLinkBase(owner: Owner, text: string): Promise<'changed' | 'unchanged' | LinkBaseProblem> {
  const read = text.trim() === '' ? { linkBase: null } : readLinkBase(text, isTrial());
  if (typeof read === 'string') return read;
  const { companyId, accountId } = owner;
  return asOwner(owner, async (tx) => {
    const [was] = await tx<LinkBase[]>`select link_base as "linkBase" from companies where id = ${companyId}`;
    const changed = was && findChanges(was, read);
    if (!changed) return 'unchanged';
    await tx`update companies set link_base = ${read.linkBase}::text where id = ${companyId}`;
    await recordAudit(tx, owner, 'company.edit', changed);
    await tx`
      insert into alarms (company_id, kind, account_id, details)
      values (${companyId}, 'links-changed', ${accountId}, ${JSON.stringify({ title: read.linkBase ?? '' })}::text::jsonb)
      on conflict (company_id, kind, account_id) where dismissed_at is null
        do update set last_at = now(), details = excluded.details`;
    return 'changed';
  });
}
