import { inTransaction, sql } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import type { Rows } from '#db/schema/rows.ts';
import { endAllSessions } from '#server/accounts/sessions/sessions.ts';
import { findWeakness, type WeakPassword } from '#server/accounts/sign-in/password-strength.ts';
import { hashPassword } from '#server/accounts/sign-in/passwords.ts';
import { type AuthenticatedAccount, authenticateAgain, type SlowedDown } from '#server/accounts/sign-in/sign-in.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Account, Session } from '#server/principals.ts';

/**
 * Changes the password of a signed-in account. Ends all its sessions and its unused links for a new
 * password. The caller opens a new session with the returned account. Wrong passwords are counted
 * as `authenticateAgain` says.
 */
export async function changePassword(
  account: Account,
  currentPassword: string,
  newPassword: string,
  address: string,
): Promise<AuthenticatedAccount | WeakPassword | 'wrong-password' | SlowedDown> {
  const checked = await authenticateAgain(account, currentPassword, address);
  if (checked === 'wrong-password' || 'waitSeconds' in checked) return checked;
  const weakness = await findWeakness(newPassword, [account.companyName, account.name, account.username]);
  if (weakness) return weakness;
  const passwordHash = await hashPassword(newPassword);
  const { companyId, accountId } = account;
  return inTransaction(async (tx) => {
    await announceAccessChange(tx, account);
    const [changed] = await tx<Pick<Rows['accounts'], 'sessionVersion'>[]>`
      update accounts set password_hash = ${passwordHash}, session_version = session_version + 1
      where company_id = ${companyId} and id = ${accountId}
      returning session_version as "sessionVersion"`;
    if (!changed) throw new Error(`account ${accountId} does not exist`);
    await endAllSessions(tx, account);
    await tx`
      delete from invitations
      where company_id = ${companyId} and used_at is null and (account_id = ${accountId} or employee_id =
        (select id from employees where company_id = ${companyId} and account_id = ${accountId}))`;
    await recordAudit(tx, account, 'password.change', {});
    return { companyId, accountId, ...changed };
  });
}

/**
 * Checks the password of a signed-in account again and marks its session as re-authenticated. Wrong
 * passwords are counted as `authenticateAgain` says.
 */
export async function reauthenticate(
  { account, sessionId }: Session,
  password: string,
  address: string,
): Promise<'reauthenticated' | 'wrong-password' | SlowedDown> {
  const checked = await authenticateAgain(account, password, address);
  if (checked === 'wrong-password' || 'waitSeconds' in checked) return checked;
  await sql()`update sessions set proved_at = now() where company_id = ${account.companyId} and id = ${sessionId}`;
  return 'reauthenticated';
}

/** Stores the language of the interface with an account. */
export async function chooseLanguage({ companyId, accountId }: Account, language: 'id' | 'en'): Promise<void> {
  await sql()`update accounts set language = ${language} where company_id = ${companyId} and id = ${accountId}`;
}
