import { randomUUID } from 'node:crypto';
import { sql } from '#db/client.ts';
import { type Company, must, password } from '#e2e/support/data/company.ts';
import { inviteOwner } from '#server/accounts/owners/owner-links.ts';
import { listManagement } from '#server/accounts/owners/owners.ts';
import { type CookieToSet, encodeSessionCookie } from '#server/accounts/sessions/cookie.ts';
import { openSession, type SessionClient } from '#server/accounts/sessions/sessions.ts';
import { authenticatePassword } from '#server/accounts/sign-in/sign-in.ts';
import { acceptLink } from '#server/employees/personal-links.ts';
import type { AuthenticatedAccount, Owner } from '#server/principals.ts';

export const newName = () => `nama-${randomUUID()}`;

export async function addOwner({ owner }: Company, name = 'Sari'): Promise<{ owner: Owner; username: string }> {
  const username = newName();
  const { accountId } = must(await acceptLink(must(await inviteOwner(owner, name)).token, username, password));
  return { owner: { ...owner, accountId, name }, username };
}

export const listOwners = async (owner: Owner) =>
  (await listManagement(owner)).filter(({ rights }) => rights === 'owner');

export const listManagers = async (owner: Owner) =>
  (await listManagement(owner)).filter(({ rights }) => rights === 'manager');

export async function openSessionCookie(account: AuthenticatedAccount, client: SessionClient): Promise<CookieToSet> {
  const { companyId, accountId, sessionVersion } = account;
  return encodeSessionCookie({ companyId, accountId, sessionVersion, sessionId: await openSession(account, client) });
}

const here = { address: '192.0.2.1', client: 'Mozilla/5.0 Firefox/140.0' };

/** Opens a session of an account in the database, without a sign-in. Returns its `Cookie` header. */
export async function openSessionOf(who: string | Pick<Owner, 'companyId' | 'accountId'>): Promise<string> {
  const isWho = () =>
    typeof who === 'string' ? sql()`username = ${who}` : sql()`company_id = ${who.companyId} and id = ${who.accountId}`;
  const [account] = await sql()<AuthenticatedAccount[]>`
    select company_id as "companyId", id as "accountId", session_version as "sessionVersion" from accounts where ${isWho()}`;
  if (!account) throw new Error('there is no such account');
  const { name, value } = await openSessionCookie(account, here);
  return `${name}=${value}`;
}

export async function authenticate(username: string, typed = password): Promise<AuthenticatedAccount> {
  const account = must(await authenticatePassword(username, typed, randomUUID()));
  if (!('accountId' in account)) throw new Error('slowed down');
  return account;
}

export async function signIn(username: string, typed = password): Promise<string> {
  const { name, value } = await openSessionCookie(await authenticate(username, typed), here);
  return `${name}=${value}`;
}
