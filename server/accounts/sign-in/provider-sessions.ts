import { type Fragment, inTransaction, sql } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import type { Rows } from '#db/schema/rows.ts';
import { countUses } from '#server/accounts/sign-in/limits.ts';
import type { AccountId } from '#server/principals.ts';

const endedHere = (issuer: string, sid: string) => ({ text: `ended\n${issuer}\n${sid}`, minutes: 24 * 60, most: 1 });

/**
 * Remembers for a day that a session of a provider ended here. The provider names it when its person then
 * signs out there too.
 */
export async function rememberEnded({ issuer, providerSid }: Pick<Rows['sessions'], 'issuer' | 'providerSid'>) {
  if (issuer && providerSid) await countUses([endedHere(issuer, providerSid)]);
}

/**
 * Ends what a provider has ended: the sessions of its own session `sid`. Without one, or when none has
 * it and none ended here, all of the person `sub` that it opened.
 */
export async function endProviderSessions(
  issuer: string,
  { sid = null, sub = null }: { sid?: string | null; sub?: string | null },
): Promise<void> {
  await sql()`
    insert into provider_logouts (issuer, received_at) values (${issuer}, now())
    on conflict (issuer) do update set received_at = now()`;
  if (sid !== null && (await endWhere(sql()`s.issuer = ${issuer} and s.provider_sid = ${sid}`))) return;
  if (sub === null || (sid !== null && (await countUses([endedHere(issuer, sid)])) > 0)) return;
  await endWhere(sql()`
    s.issuer = ${issuer} and exists (
      select from identities i where i.company_id = s.company_id and i.account_id = s.account_id
        and i.issuer = s.issuer and i.subject = ${sub})`);
}

async function endWhere(isOfProvider: Fragment): Promise<boolean> {
  const companies = await sql()<Pick<AccountId, 'companyId'>[]>`
    select distinct s.company_id as "companyId" from sessions s where ${isOfProvider}`;
  for (const { companyId } of companies)
    await inTransaction(async (tx) => {
      await announceAccessChange(tx, { companyId });
      await tx`delete from sessions s where s.company_id = ${companyId} and ${isOfProvider}`;
    });
  return companies.length > 0;
}

/** When a provider last told of a sign-out there, or null. */
export async function findLastLogout(issuer: string): Promise<Date | null> {
  const [last] = await sql()<Pick<Rows['providerLogouts'], 'receivedAt'>[]>`
    select received_at as "receivedAt" from provider_logouts where issuer = ${issuer}`;
  return last?.receivedAt ?? null;
}
