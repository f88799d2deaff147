import { inTransaction, sql, type Transaction } from '#db/client.ts';
import { announceAccessChange } from '#db/company-row.ts';
import { isDuplicate } from '#db/driver/errors.ts';
import { setPassword } from '#server/accounts/sessions/sessions.ts';
import type { SlowedDown } from '#server/accounts/sign-in/attempts.ts';
import { findWeakness, type WeakPassword } from '#server/accounts/sign-in/password-strength.ts';
import { hashPassword } from '#server/accounts/sign-in/passwords.ts';
import { authenticateAgain } from '#server/accounts/sign-in/sign-in.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Account, AuthenticatedAccount, Session } from '#server/principals.ts';

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
    const changed = await setPassword(tx, account, passwordHash);
    await tx`
      delete from invitations
      where company_id = ${companyId} and used_at is null and (account_id = ${accountId} or employee_id =
        (select id from employees where company_id = ${companyId} and account_id = ${accountId}))`;
    await recordAudit(tx, account, 'password.change', {});
    return changed;
  });
}

/**
 * Checks and hashes a new password, and runs `work` in a transaction, which may insert an account.
 * `names` are those that the password must not be. `group` is its place in the queue of hashes.
 */
export async function withNewPassword<Result>(
  password: string,
  names: string[],
  work: (tx: Transaction, passwordHash: string) => Promise<Result>,
  group?: string,
): Promise<Result | WeakPassword | 'duplicate-username'> {
  const weakness = await findWeakness(password, names);
  if (weakness) return weakness;
  const passwordHash = await hashPassword(password, group);
  try {
    return await inTransaction((tx) => work(tx, passwordHash));
  } catch (error) {
    if (isDuplicate(error, 'accounts_username')) return 'duplicate-username';
    throw error;
  }
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
