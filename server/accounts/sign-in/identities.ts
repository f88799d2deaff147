import type { IDToken } from 'openid-client';
import { db, deleteRows, inTransaction, matches, type Rows, requireRow, type Transaction } from '#db/client.ts';
import { lockCompanyRow, withSignedIn } from '#db/company-row.ts';
import { unlessDuplicate } from '#db/driver/errors.ts';
import { sql } from '#db/drizzle.cjs';
import { accounts, identities } from '#db/schema/tables.ts';
import type { OidcProvider } from '#platform/config/identity.ts';
import { env } from '#platform/config/settings.ts';
import { log, logRepeats } from '#platform/log/log.ts';
import { a, c, confirmBy, isWayOf, onlyIssuerOf, proveSession } from '#server/accounts/sessions/sessions.ts';
import type { Identity, OidcFlow } from '#server/accounts/sign-in/cookies.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Account, AccountId, AccountVersion, AuthenticatedAccount, Session } from '#server/principals.ts';

// Between the answer of a provider and its ID token.
const slackSeconds = 10;

export const findProvider = (id: string): OidcProvider | undefined =>
  env().OIDC_PROVIDERS.find((provider) => provider.id === id);

/** The providers of this deployment, or of these issuers only, without their secrets. */
export const listProviders = (only?: string[]): Pick<OidcProvider, 'id' | 'label' | 'issuer'>[] =>
  env()
    .OIDC_PROVIDERS.filter(({ issuer }) => only?.includes(issuer) ?? true)
    .map(({ id, label, issuer }) => ({ id, label, issuer }));

/** What people call a provider: its label, or its host when the settings no longer name it. */
export const nameOfIssuer = (issuer: string): string =>
  env().OIDC_PROVIDERS.find((provider) => provider.issuer === issuer)?.label ?? new URL(issuer).host;

/** The identity that checked claims of this provider describe. */
export function asIdentity(claims: IDToken, provider: OidcProvider, flow: OidcFlow): Identity {
  const { preferred_username: username, email, name, sub, sid } = claims;
  if (sub.includes('\0')) throw new Error('the subject has a character that PostgreSQL does not store');
  const names = [username, email, name];
  const label = names.find((name): name is string => typeof name === 'string' && name.trim() !== '') ?? '';
  return {
    issuer: provider.issuer,
    subject: sub,
    // Control characters would be an error in PostgreSQL, or a second line in a list.
    label: label.replace(/\p{C}/gu, '').slice(0, 254).toWellFormed(),
    hasSecondFactor: provider.mfa === 'always' || hasSecondFactor(claims),
    isFresh: isFresh(claims, flow),
    sid: typeof sid === 'string' && !sid.includes('\0') ? sid : null,
  };
}

// By the provider's own clock. One that was asked for a new sign-in, and does not tell when it was, is believed.
function isFresh({ auth_time: signedInAt, iat }: IDToken, { startedAt, prompt }: OidcFlow): boolean | null {
  if (typeof signedInAt !== 'number') return prompt === 'login' ? true : null;
  return iat - signedInAt <= Date.now() / 1000 - startedAt + slackSeconds;
}

const strongMethods = ['mfa', 'hwk', 'phr', 'phrh'];
const strongClasses = [
  'mfa',
  'phr',
  'phrh',
  'http://schemas.microsoft.com/claims/multipleauthn',
  'http://schemas.openid.net/pape/policies/2007/06/multi-factor',
  'https://refeds.org/profile/mfa',
];

// Only what the provider says counts (RFC 8176): several factors, a key in hardware, what no phishing
// gets, or a code beside something else. A code alone may be one by e-mail.
function hasSecondFactor({ amr, acr }: IDToken): boolean {
  const methods: unknown[] = Array.isArray(amr) ? amr : [];
  if (methods.some((method) => strongMethods.includes(String(method)))) return true;
  const isStrongClass = typeof acr === 'string' && strongClasses.includes(acr);
  return isStrongClass || (methods.includes('otp') && methods.length > 1);
}

/** An account whose person a provider has identified. */
export const withIdentity = (
  account: AccountVersion,
  { issuer, hasSecondFactor, isFresh, sid }: Identity,
): AuthenticatedAccount => ({
  ...account,
  hasSecondFactor,
  issuer,
  reauthenticated: isFresh ?? false,
  providerSid: sid,
});

/**
 * The account of an identity, by issuer and subject only, if its person may sign in. Who was signed in at the provider
 * already proved nothing now. `'provider-only'`: the company allows another provider only.
 */
export async function authenticateIdentity(identity: Identity, address: string) {
  const { issuer, subject, label } = identity;
  // As text: an update that reads three tables.
  const [row] = await db().execute<AccountVersion & { isWay: boolean }>(sql`
    update identities i set used_at = now(), label = coalesce(nullif(${label}, ''), i.label)
    from accounts a join companies c on c.id = a.company_id
    left join employees e on e.company_id = a.company_id and e.account_id = a.id
    where i.issuer = ${issuer} and i.subject = ${subject} and a.company_id = i.company_id and a.id = i.account_id
      and (a.is_owner or a.is_manager or e.active)
    returning a.company_id as "companyId", a.id as "accountId", a.session_version as "sessionVersion",
      ${isWayOf(issuer, a, c)} as "isWay"`);
  if (!row) {
    logRepeats('info', { outcome: 'unknown-identity', address, issuer }, {}, 'sign-in');
    return 'unknown-identity';
  }
  const { isWay: isAllowed, ...account } = row;
  log().info({ outcome: 'signed-in', address, accountId: account.accountId, issuer }, 'sign-in');
  return isAllowed ? withIdentity(account, identity) : 'provider-only';
}

/** Inserts an identity, audited. Takes it from an account that may not sign in; throws when another one has it. */
export async function insertIdentity(
  tx: Transaction,
  { companyId, accountId }: AccountId,
  { issuer, subject, label }: Identity,
): Promise<void> {
  // As text: delete using.
  await db(tx).execute(sql`
    delete from identities i using accounts a
    where i.company_id = ${companyId} and i.issuer = ${issuer} and i.subject = ${subject}
      and a.company_id = i.company_id and a.id = i.account_id and not (a.is_owner or a.is_manager)
      and not exists (select from employees e where e.company_id = a.company_id and e.account_id = a.id and e.active)`);
  const identity = { companyId, accountId, issuer, subject, label: label || subject, usedAt: sql`now()` };
  await db(tx).insert(identities).values(identity);
  const ofAccount = matches(accounts, { companyId, id: accountId });
  const { name } = await requireRow(db(tx).select({ name: accounts.name }).from(accounts).where(ofAccount));
  const actor = { companyId, accountId, name };
  await recordAudit(tx, actor, 'identity.link', { provider: nameOfIssuer(issuer), label });
}

export const unlessIdentityTaken = <Result>(change: Promise<Result>) =>
  unlessDuplicate('identities_subject', 'identity-taken', change);

/** Connects an identity with the signed-in account, which signs in with it from now on. */
export async function linkIdentity(session: Session, identity: Identity): Promise<'linked' | 'identity-taken'> {
  const link = withSignedIn(session, (tx) => insertIdentity(tx, session.account, identity));
  return unlessIdentityTaken(link.then(() => 'linked' as const));
}

export async function listIdentities({ companyId, accountId }: Account) {
  const { id, issuer, label, createdAt, usedAt } = identities;
  const ofAccount = matches(identities, { companyId, accountId });
  return db().select({ id, issuer, label, createdAt, usedAt }).from(identities).where(ofAccount).orderBy(id);
}

/** How a person can prove again who they are: with a password, and with which providers. */
export async function listReauthenticationWays({ companyId, accountId }: Account) {
  // As text: a list of the issuers in one column.
  const [ways] = await db().execute<{ hasPassword: boolean; issuers: string[] }>(sql`
    select a.password_hash is not null and ${isWayOf(null, a, c)} as "hasPassword",
      array(select i.issuer from identities i
        where i.company_id = a.company_id and i.account_id = a.id and ${isWayOf(sql`i.issuer`, a, c)}) as issuers
    from accounts a join companies c on c.id = a.company_id
    where a.company_id = ${companyId} and a.id = ${accountId}`);
  return { hasPassword: ways?.hasPassword ?? false, providers: listProviders(ways?.issuers ?? []) };
}

/** Disconnects an identity. `'only-way-in'`: the person could not sign in without it, by the rules of their company. */
export async function unlinkIdentity(account: Account, id: number) {
  const { companyId, accountId } = account;
  return inTransaction(async (tx) => {
    await lockCompanyRow(tx, account);
    type Unlinked = Pick<Rows['identities'], 'issuer' | 'label'> & { hasOther: boolean };
    // As text: what else leads in is a condition over five tables.
    const [identity] = await db(tx).execute<Unlinked>(sql`
      select i.issuer, i.label, exists (
        select from identities o where o.company_id = i.company_id and o.account_id = i.account_id and o.id <> i.id
          and o.issuer = coalesce(c.only_issuer, o.issuer)
      ) or (${onlyIssuerOf(a, c)} is null and (
        a.password_hash is not null
        or exists (select from passkeys p where p.company_id = a.company_id and p.account_id = a.id)
      )) as "hasOther"
      from identities i join companies c on c.id = i.company_id
      join accounts a on a.company_id = i.company_id and a.id = i.account_id
      where i.company_id = ${companyId} and i.account_id = ${accountId} and i.id = ${id}`);
    if (!identity) return 'no-such-identity';
    if (!identity.hasOther) return 'only-way-in';
    await deleteRows(db(tx), identities, { companyId, id });
    const { issuer, label } = identity;
    await recordAudit(tx, account, 'identity.unlink', { provider: nameOfIssuer(issuer), label });
    return 'unlinked';
  });
}

/** Confirms the session, if this provider opened it. Returns whether the identity is of its account. */
export async function confirmSession({ account, sessionId }: Session, { issuer, subject, sid }: Identity) {
  const { companyId, accountId } = account;
  // As text: two changes, of which the second depends on the first.
  const confirmed = await db().execute(sql`
    with used as (
      update identities set used_at = now()
      where company_id = ${companyId} and account_id = ${accountId} and issuer = ${issuer} and subject = ${subject}
      returning id
    ), confirmed as (
      update sessions set confirmed_at = now(), confirm_by = ${confirmBy(issuer)},
        provider_sid = coalesce(${sid}, provider_sid)
      where company_id = ${companyId} and id = ${sessionId} and issuer = ${issuer} and exists (select from used)
    )
    select 1 from used`);
  return confirmed.length > 0;
}

/** Marks the session as re-authenticated. `'stale'`: the person signed in there before they were asked to. */
export async function reauthenticateWithIdentity(session: Session, identity: Identity) {
  if (identity.isFresh !== true) return 'stale';
  return (await confirmSession(session, identity)) ? proveSession(session, identity) : 'other-identity';
}
