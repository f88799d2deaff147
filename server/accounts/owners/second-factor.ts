import { type Sql, sql, type Transaction } from '#db/client.ts';
import { asOwner, asSignedIn } from '#db/person-transaction.ts';
import { generateRecoveryCode, hashToken } from '#server/accounts/owners/invitation-token.ts';
import type { SlowedDown } from '#server/accounts/sign-in/limits.ts';
import { checkSecret } from '#server/accounts/sign-in/sign-in.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { AccountId, Owner, Session } from '#server/principals.ts';

const recoveryCodeCount = 10;

/** From which day (company's time zone, YYYY-MM-DD) owners and managers need a second factor, or null. */
export async function findSecondFactorDay(
  { companyId }: Owner,
  from: Sql | Transaction = sql(),
): Promise<string | null> {
  const [row] = await from<{ day: string | null }[]>`
    select (second_factor_from at time zone time_zone)::date::text as day from companies where id = ${companyId}`;
  return row?.day ?? null;
}

/**
 * Requires a second factor of owners and managers from the beginning of a day (company's time zone),
 * or no longer (null). `'passkey-first'`: the owner has no passkey and would lock themselves out.
 */
export async function requireSecondFactor(
  owner: Owner,
  day: string | null,
): Promise<'changed' | 'unchanged' | 'passkey-first'> {
  const { companyId, accountId } = owner;
  return asOwner(owner, async (tx) => {
    const own = await tx`select from passkeys where company_id = ${companyId} and account_id = ${accountId} limit 1`;
    if (day !== null && own.length === 0) return 'passkey-first';
    const was = { secondFactorDay: await findSecondFactorDay(owner, tx) };
    const changed = findChanges(was, { secondFactorDay: day });
    if (!changed) return 'unchanged';
    await tx`
      update companies set second_factor_from = ${day}::text::timestamp at time zone time_zone where id = ${companyId}`;
    await recordAudit(tx, owner, 'company.edit', changed);
    return 'changed';
  });
}

export async function countRecoveryCodes({ companyId, accountId }: AccountId): Promise<number> {
  const [row] = await sql()<{ count: number }[]>`
    select count(*)::int as count from recovery_codes where company_id = ${companyId} and account_id = ${accountId}`;
  return row?.count ?? 0;
}

/** Makes ten recovery codes for the owner, which replace older ones. Only their hashes are stored. */
export async function makeRecoveryCodes(owner: Owner): Promise<string[]> {
  const { companyId, accountId } = owner;
  const codes = Array.from({ length: recoveryCodeCount }, generateRecoveryCode);
  return asOwner(owner, async (tx) => {
    await tx`delete from recovery_codes where company_id = ${companyId} and account_id = ${accountId}`;
    await tx`
      insert into recovery_codes (company_id, account_id, code_hash)
      select ${companyId}, ${accountId}, decode(unnest(${codes.map((code) => hashToken(code).toString('hex'))}::text[]), 'hex')`;
    await recordAudit(tx, owner, 'recovery.make', {});
    return codes;
  });
}

/** Uses up a recovery code as the second factor of a session. Ten wrong ones make the person wait. */
export async function acceptRecoveryCode(
  session: Session,
  code: string,
  address: string,
): Promise<'accepted' | 'wrong' | SlowedDown> {
  const { account, sessionId } = session;
  const { companyId, accountId } = account;
  const hash = hashToken(code.trim());
  const matchingCodes = await sql()`
    select from recovery_codes where company_id = ${companyId} and account_id = ${accountId} and code_hash = ${hash}`;
  const checked = await checkSecret(`recovery\n${companyId}\n${accountId}`, matchingCodes.length > 0, address);
  if (checked !== 'right') return checked;
  return asSignedIn(session, async (tx) => {
    const { count } = await tx`
      delete from recovery_codes where company_id = ${companyId} and account_id = ${accountId} and code_hash = ${hash}`;
    if (count === 0) return 'wrong';
    await tx`update sessions set has_second_factor = true where company_id = ${companyId} and id = ${sessionId}`;
    await recordAudit(tx, account, 'recovery.use', {});
    return 'accepted';
  });
}
