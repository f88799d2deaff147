import { countRows, db, deleteRows, hasRows, matches, requireRow, type Transaction, updateRows } from '#db/client.ts';
import { withOwner, withSignedIn } from '#db/company-row.ts';
import { eq, sql } from '#db/drizzle.cjs';
import { companies, passkeys, recoveryCodes, sessions } from '#db/schema/tables.ts';
import { generateRecoveryCode, hashToken } from '#server/accounts/sessions/tokens.ts';
import { checkSecret } from '#server/accounts/sign-in/sign-in.ts';
import { findChanges, recordAudit } from '#server/audit/record.ts';
import type { AccountId, Owner, Session } from '#server/principals.ts';

/** From which day (company's time zone, YYYY-MM-DD) owners and managers need a second factor, or null. */
export async function findSecondFactorDay({ companyId }: Owner, tx?: Transaction): Promise<string | null> {
  const day = sql<string | null>`(${companies.secondFactorFrom} at time zone ${companies.timeZone})::date::text`;
  return (await requireRow(db(tx).select({ day }).from(companies).where(eq(companies.id, companyId)))).day;
}

/** Requires a second factor from a day on, or no longer. `'passkey-first'`: the owner would lock themselves out. */
export async function requireSecondFactor(owner: Owner, day: string | null) {
  const { companyId, accountId } = owner;
  return withOwner(owner, async (tx) => {
    if (day !== null && (await countRows(db(tx), passkeys, { companyId, accountId })) === 0) return 'passkey-first';
    const was = { secondFactorDay: await findSecondFactorDay(owner, tx) };
    const changed = findChanges(was, { secondFactorDay: day });
    if (!changed) return 'unchanged';
    const secondFactorFrom = sql`${day}::text::timestamp at time zone ${companies.timeZone}`;
    await db(tx).update(companies).set({ secondFactorFrom }).where(eq(companies.id, companyId));
    await recordAudit(tx, owner, 'company.edit', changed);
    return 'changed';
  });
}

export const countRecoveryCodes = async ({ companyId, accountId }: AccountId): Promise<number> =>
  countRows(db(), recoveryCodes, { companyId, accountId });

/** Makes ten recovery codes for the owner, which replace older ones. Only their hashes are stored. */
export async function makeRecoveryCodes(owner: Owner): Promise<string[]> {
  const { companyId, accountId } = owner;
  const codes = Array.from({ length: 10 }, generateRecoveryCode);
  return withOwner(owner, async (tx) => {
    await deleteRows(db(tx), recoveryCodes, { companyId, accountId });
    const hashes = codes.map((code) => hashToken(code).toString('hex'));
    // As text: the builder has no list of values as one parameter.
    await db(tx).execute(sql`
      insert into recovery_codes (company_id, account_id, code_hash)
      select ${companyId}, ${accountId}, decode(unnest(${sql.param(hashes)}::text[]), 'hex')`);
    await recordAudit(tx, owner, 'recovery.make', {});
    return codes;
  });
}

/** Uses up a recovery code as the second factor of a session. Ten wrong ones make the person wait. */
export async function acceptRecoveryCode(session: Session, code: string, address: string) {
  const { account, sessionId } = session;
  const { companyId, accountId } = account;
  const matching = matches(recoveryCodes, { companyId, accountId, codeHash: hashToken(code.trim()) });
  const { codeHash } = recoveryCodes;
  const isRight = (await db().$count(recoveryCodes, matching)) > 0;
  const checked = await checkSecret(`recovery\n${companyId}\n${accountId}`, isRight, address);
  if (checked !== 'right') return checked;
  return withSignedIn(session, async (tx) => {
    if (!(await hasRows(db(tx).delete(recoveryCodes).where(matching).returning({ codeHash })))) return 'wrong';
    await updateRows(db(tx), sessions, { companyId, id: sessionId }, { hasSecondFactor: true });
    await recordAudit(tx, account, 'recovery.use', {});
    return 'accepted';
  });
}
