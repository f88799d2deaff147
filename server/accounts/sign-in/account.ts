import { db, deleteRows, inTransaction, type Transaction, updateRows } from '#db/client.ts';
import { announceAccessChange, withSignedIn } from '#db/company-row.ts';
import { unlessDuplicate } from '#db/driver/errors.ts';
import { accounts, identities } from '#db/schema/tables.ts';
import type { Language } from '#platform/language.ts';
import { deleteUnusedLinks, proveSession, setPassword } from '#server/accounts/sessions/sessions.ts';
import type { Identity } from '#server/accounts/sign-in/cookies.ts';
import { insertIdentity, unlessIdentityTaken, withIdentity } from '#server/accounts/sign-in/identities.ts';
import type { SlowedDown } from '#server/accounts/sign-in/limits.ts';
import { findWeakness, hashPassword, type WeakPassword } from '#server/accounts/sign-in/passwords.ts';
import { authenticateAgain } from '#server/accounts/sign-in/sign-in.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Account, AuthenticatedAccount, Session } from '#server/principals.ts';

/** Changes the password of an account; its sessions and unused links end, and the caller opens a new session. */
export async function changePassword(
  session: Pick<Session, 'account' | 'sessionId'>,
  currentPassword: string,
  newPassword: string,
  address: string,
): Promise<AuthenticatedAccount | WeakPassword | 'wrong-password' | 'provider-only' | SlowedDown> {
  const { account } = session;
  const checked = await authenticateAgain(account, currentPassword, address);
  if (checked !== 'right') return checked;
  const weakness = await findWeakness(newPassword, [account.companyName, account.name, account.username]);
  if (weakness) return weakness;
  const passwordHash = await hashPassword(newPassword);
  return withSignedIn(session, async (tx) => {
    await announceAccessChange(tx, account);
    const changed = await setPassword(tx, account, passwordHash);
    await deleteUnusedLinks(tx, account);
    await recordAudit(tx, account, 'password.change', {});
    return changed;
  });
}

/** Checks and hashes a new password, and runs `work` in a transaction. `group`: its place in the queue of hashes. */
export async function withNewPassword<Result>(
  password: string,
  names: string[],
  work: (tx: Transaction, passwordHash: string) => Promise<Result>,
  group?: string,
): Promise<Result | WeakPassword | 'duplicate-username'> {
  const weakness = await findWeakness(password, names);
  if (weakness) return weakness;
  const passwordHash = await hashPassword(password, group);
  const done = inTransaction((tx) => work(tx, passwordHash));
  return unlessDuplicate('accounts_username', 'duplicate-username', done);
}

/** What a person will sign in with: a password, or an identity at a provider. */
export type NewCredential = string | Identity;

export type CredentialRefusal = WeakPassword | 'duplicate-username' | 'identity-taken' | 'provider-only';

/**
 * As `withNewPassword`, for an invitation of a company that may require a provider. An identity is stored with the
 * account that `work` returns, which has no password. Either replaces the identities of the account.
 */
export async function withNewCredential<Refusal extends string>(
  invitation: { companyId: number; onlyIssuer: string | null },
  credential: NewCredential,
  names: string[],
  work: (tx: Transaction, passwordHash: string | null) => Promise<AuthenticatedAccount | Refusal>,
): Promise<AuthenticatedAccount | Refusal | CredentialRefusal> {
  const { onlyIssuer } = invitation;
  if (onlyIssuer !== null && (typeof credential === 'string' || credential.issuer !== onlyIssuer))
    return 'provider-only';
  const replace = async (tx: Transaction, passwordHash: string | null) => {
    await announceAccessChange(tx, invitation);
    const account = await work(tx, passwordHash);
    if (typeof account === 'string') return account;
    const { companyId, accountId } = account;
    await deleteRows(db(tx), identities, { companyId, accountId });
    if (typeof credential === 'string') return account;
    await insertIdentity(tx, account, credential);
    return { ...withIdentity(account, credential), reauthenticated: true };
  };
  if (typeof credential === 'string') return withNewPassword(credential, names, replace);
  return unlessIdentityTaken(inTransaction((tx) => replace(tx, null)));
}

export async function reauthenticate(session: Session, password: string, address: string) {
  const checked = await authenticateAgain(session.account, password, address);
  return checked === 'right' ? proveSession(session, { issuer: null, hasSecondFactor: false }) : checked;
}

export async function chooseLanguage({ companyId, accountId }: Account, language: Language): Promise<void> {
  await updateRows(db(), accounts, { companyId, id: accountId }, { language });
}
