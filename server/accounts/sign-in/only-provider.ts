import { sql } from '#db/client.ts';
import { asOwner } from '#db/person-transaction.ts';
import { nameOfIssuer } from '#server/accounts/sign-in/identities.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/** The rule of a company, and who may choose what: the owners with a password, the own issuers. */
export type ProviderRule = {
  issuer: string | null;
  fallbackAccountId: number | null;
  fallbacks: { accountId: number; name: string }[];
  issuers: string[];
};

export async function findProviderRule({ companyId, accountId }: Owner): Promise<ProviderRule> {
  const [row] = await sql()<ProviderRule[]>`
    select c.only_issuer as issuer, c.fallback_account_id as "fallbackAccountId",
      (select coalesce(jsonb_agg(jsonb_build_object('accountId', a.id, 'name', a.name) order by a.id), '[]') from accounts a
        where a.company_id = c.id and a.is_owner and a.password_hash is not null) as fallbacks,
      array(select distinct i.issuer from identities i
        where i.company_id = c.id and i.account_id = ${accountId} order by 1) as issuers
    from companies c where c.id = ${companyId}`;
  if (!row) throw new Error(`company ${companyId} does not exist`);
  return row;
}

/**
 * Decides that people of the company sign in with this provider only, but for the owner
 * `fallbackAccountId` and their password. The acting owner must have an identity there. Open
 * sessions stay.
 */
export async function requireProvider(
  owner: Owner,
  { issuer, fallbackAccountId }: { issuer: string; fallbackAccountId: number },
): Promise<'changed' | 'not-linked' | 'no-such-owner'> {
  const { companyId, accountId } = owner;
  return asOwner(owner, async (tx) => {
    const linked = await tx`
      select from identities where company_id = ${companyId} and account_id = ${accountId} and issuer = ${issuer}`;
    if (linked.length === 0) return 'not-linked';
    const [fallback] = await tx<{ name: string }[]>`
      select name from accounts
      where company_id = ${companyId} and id = ${fallbackAccountId} and is_owner and password_hash is not null`;
    if (!fallback) return 'no-such-owner';
    await tx`
      update companies set only_issuer = ${issuer}, fallback_account_id = ${fallbackAccountId} where id = ${companyId}`;
    const details = { provider: nameOfIssuer(issuer), fallback: fallback.name };
    await recordAudit(tx, owner, 'company.require-provider', details);
    return 'changed';
  });
}

/** Lets people of the company sign in with everything they have. */
export async function allowAllMethods(owner: Owner): Promise<'changed'> {
  return asOwner(owner, async (tx) => {
    await tx`update companies set only_issuer = null, fallback_account_id = null where id = ${owner.companyId}`;
    await recordAudit(tx, owner, 'company.allow-all-methods', {});
    return 'changed' as const;
  });
}
