import { randomBytes } from 'node:crypto';
import { byId, db, deleteRows, findRow, matches, requireRow, type Transaction, updateRows } from '#db/client.ts';
import { and, eq, gt, isNotNull, isNull, or, sql } from '#db/drizzle.cjs';
import { accounts, companies, employees, invitations } from '#db/schema/tables.ts';
import { onlyIssuerOf, setPassword, versionColumns } from '#server/accounts/sessions/sessions.ts';
import { hashToken, isInvitationToken } from '#server/accounts/sessions/tokens.ts';
import { type CredentialRefusal, type NewCredential, withNewCredential } from '#server/accounts/sign-in/account.ts';
import { removeSecondFactors } from '#server/accounts/sign-in/passkeys.ts';
import { recordAudit } from '#server/audit/record.ts';
import { isOfManagement } from '#server/employees/employees.ts';
import type { AuthenticatedAccount, Manager } from '#server/principals.ts';

/** A valid link: an invitation, or for a new password. `onlyIssuer`: for this provider only, unless `isOfOperator`. */
type PersonalLink = ({ rights: 'employee'; employeeId: number } | { rights: Manager['kind']; employeeId: null }) & {
  companyId: number;
  companyName: string;
  name: string;
  accountId: number | null;
  username: string | null;
  isOfOperator: boolean;
  onlyIssuer: string | null;
};

/** The valid link of a token, or null, also when its employee is inactive or its person has other rights by now. */
export async function findLink(token: string, from?: Transaction): Promise<PersonalLink | null> {
  if (!isInvitationToken(token)) return null;
  const { companyId, employeeId, ownerName, managerName } = invitations;
  const isOfOperator = sql<boolean>`(${and(isNull(employeeId), isNull(invitations.createdBy))})`;
  const accountOf = sql`coalesce(${invitations.accountId}, ${employees.accountId})`;
  const isValid = and(
    matches(invitations, { tokenHash: hashToken(token), usedAt: null }),
    gt(invitations.expiresAt, sql`now()`),
  );
  const mayUse = sql`case when ${employeeId} is not null then ${employees.active} and not ${isOfManagement}
    else ${invitations.accountId} is null or ${isOfManagement} end`;
  const [link] = await db(from)
    .select({
      companyId,
      companyName: companies.name,
      employeeId,
      accountId: accounts.id,
      name: sql<string>`coalesce(${employees.name}, ${accounts.name}, ${ownerName}, ${managerName})`,
      username: accounts.username,
      isOfOperator,
      onlyIssuer: sql<string | null>`case when not ${isOfOperator} then ${onlyIssuerOf(accounts, companies)} end`,
      rights: sql<PersonalLink['rights']>`case when ${employeeId} is not null then 'employee'
          when ${accounts.isManager} or ${managerName} is not null then 'manager' else 'owner' end`,
    })
    .from(invitations)
    .innerJoin(companies, eq(companies.id, companyId))
    .leftJoin(employees, byId(employees, { companyId }, employeeId))
    .leftJoin(accounts, byId(accounts, { companyId }, accountOf))
    .where(and(isValid, mayUse));
  return (link ?? null) as PersonalLink | null;
}

/** The account of a used link, if it may sign in: many people open their link again. It shows nothing else. */
export async function findUsedLink(token: string): Promise<{ username: string; isEmployee: boolean } | null> {
  if (!isInvitationToken(token)) return null;
  const { companyId, employeeId } = invitations;
  const accountOf = sql`coalesce(${invitations.accountId}, ${employees.accountId})`;
  const maySignIn = or(accounts.isOwner, accounts.isManager, isNotNull(employees.id));
  return findRow(
    db()
      .select({ username: accounts.username, isEmployee: sql<boolean>`${isNotNull(employeeId)}` })
      .from(invitations)
      .leftJoin(employees, and(byId(employees, { companyId }, employeeId), employees.active))
      .innerJoin(accounts, byId(accounts, { companyId }, accountOf))
      .where(and(eq(invitations.tokenHash, hashToken(token)), isNotNull(invitations.usedAt), maySignIn)),
  );
}

/**
 * Uses a link, once of two concurrent calls: creates the account, or gives it this password and ends its sessions. With
 * an identity the service makes the username. A password of the operator's link is the way back from a provider.
 */
export async function acceptLink(
  token: string,
  username: string,
  credential: NewCredential,
): Promise<AuthenticatedAccount | CredentialRefusal | 'invalid'> {
  const found = await findLink(token);
  if (!found) return 'invalid';
  const names = [found.companyName, found.name, found.username ?? username];
  return withNewCredential(found, credential, names, async (tx, passwordHash) => {
    // It may have ended before the company's row was locked.
    const link = await findLink(token, tx);
    return link ? applyLink(tx, token, link, username, passwordHash) : 'invalid';
  });
}

async function applyLink(
  tx: Transaction,
  token: string,
  link: PersonalLink,
  asked: string,
  passwordHash: string | null,
): Promise<AuthenticatedAccount> {
  const { companyId, rights, name, employeeId, accountId: before, isOfOperator } = link;
  const username = passwordHash === null ? inventUsername(name) : asked;
  const newRights = { isOwner: rights === 'owner', isManager: rights === 'manager' };
  const values = { companyId, username, name, passwordHash, ...newRights };
  const account = await (before === null
    ? requireRow(db(tx).insert(accounts).values(values).returning(versionColumns))
    : setPassword(tx, { companyId, accountId: before }, passwordHash));
  const { accountId } = account;
  await removeSecondFactors(tx, account);
  // That of an owner or manager leads to this account from now on.
  const newAccount = sql`case when ${invitations.employeeId} is null then ${accountId}::int end`;
  const used = { usedAt: sql`now()`, ownerName: null, managerName: null, accountId: newAccount };
  await updateRows(db(tx), invitations, { companyId, tokenHash: hashToken(token) }, used);
  if (employeeId !== null) {
    // One that could not be shown again may have got another one beside it.
    await deleteRows(db(tx), invitations, { companyId, employeeId, usedAt: null });
    await updateRows(db(tx), employees, { companyId, id: employeeId }, { accountId });
  }
  const hasIssuer = and(eq(companies.id, companyId), isNotNull(companies.onlyIssuer));
  if (isOfOperator && passwordHash !== null)
    await db(tx).update(companies).set({ fallbackAccountId: accountId }).where(hasIssuer);
  const actor = { companyId, accountId, name };
  if (rights === 'employee')
    await recordAudit(tx, actor, 'invitation.accept', { employeeId, renewed: before !== null });
  else if (before === null) await recordAudit(tx, actor, `${rights}.join`, { name, username });
  else await recordAudit(tx, actor, `${rights}.renew`, {});
  return account;
}

// For a person who chooses none, because they sign in with an identity.
function inventUsername(name: string): string {
  const words = name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...words, randomBytes(4).toString('hex')].join('.');
}
