import { type Fragment, inTransaction, requireRow, sql } from '#db/client.ts';
import { lockCompanyRow } from '#db/company-row.ts';
import { asOwner } from '#db/person-transaction.ts';
import {
  insertIdentity,
  listProviders,
  nameOfIssuer,
  unlessIdentityTaken,
  withIdentity,
} from '#server/accounts/sign-in/identities.ts';
import type { Identity } from '#server/accounts/sign-in/oidc-flow.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { AccountVersion, AuthenticatedAccount, Owner } from '#server/principals.ts';

/** The rule of a company, and who may choose what: the owners with a password, the own issuers. */
export type ProviderRule = {
  issuer: string | null;
  fallbackAccountId: number | null;
  fallbacks: { accountId: number; name: string }[];
  issuers: string[];
};

export async function findProviderRule({ companyId, accountId }: Owner): Promise<ProviderRule> {
  return requireRow(sql()<ProviderRule[]>`
    select c.only_issuer as issuer, c.fallback_account_id as "fallbackAccountId",
      (select coalesce(jsonb_agg(jsonb_build_object('accountId', a.id, 'name', a.name) order by a.id), '[]') from accounts a
        where a.company_id = c.id and a.is_owner and a.password_hash is not null) as fallbacks,
      array(select distinct i.issuer from identities i
        where i.company_id = c.id and i.account_id = ${accountId} order by 1) as issuers
    from companies c where c.id = ${companyId}`);
}

/**
 * What becomes of a person where one provider is required. `connected`: nothing changes for them.
 * `connects`: their next sign-in leads to connecting it. `needs-link`: they need a new link.
 * `invited`: an active employee without an account, who joins with the provider.
 */
export type Readiness = 'connected' | 'connects' | 'needs-link' | 'invited';

/** The people with one readiness: their number, the first ones from A to Z, and which of these have a portal. */
export type ReadinessGroup = {
  readiness: Readiness;
  count: number;
  people: { key: string; name: string; employeeId: number | null }[];
  employeeIds: number[];
};

/** Who of the company has connected this issuer, and what becomes of the others. `people` has up to `most` of a group. */
export async function listReadiness({ companyId }: Owner, issuer: string, most: number): Promise<ReadinessGroup[]> {
  return sql()<ReadinessGroup[]>`
    select readiness, count(*)::int as count, to_jsonb((array_agg(
        jsonb_build_object('key', key, 'name', name, 'employeeId', id) order by lower(name), key))[1:${most}]) as people,
      coalesce(array_agg(id order by id) filter (where id is not null), '{}') as "employeeIds"
    from (
      select e.id, coalesce(e.name, a.name) as name, coalesce(a.username, e.id::text) as key, case
        when a.id is null then 'invited'
        when ${isConnected(sql()`${issuer}`)} then 'connected'
        when a.password_hash is not null and not a.needs_factor or exists (
          select from passkeys p where p.company_id = a.company_id and p.account_id = a.id) then 'connects'
        else 'needs-link' end as readiness
      from (
        select a.*, ${needsSecondFactor()} as needs_factor from accounts a join companies c on c.id = a.company_id
        where a.company_id = ${companyId}
      ) a
      full join (select * from employees where company_id = ${companyId} and active) e on e.account_id = a.id
      where e.id is not null or a.is_owner or a.is_manager
    ) people group by readiness
    order by array_position(array['connects', 'needs-link', 'invited', 'connected'], readiness)`;
}

/** The employees among people who have an account and have not connected the provider. */
export const listUnconnected = (groups: ReadinessGroup[]): number[] =>
  groups.flatMap(({ readiness, employeeIds }) => (/^(connects|needs-link)$/.test(readiness) ? employeeIds : []));

const isConnected = (issuer: Fragment) => sql()`exists (
  select from identities i where i.company_id = a.company_id and i.account_id = a.id and i.issuer = ${issuer})`;

const needsSecondFactor = () => sql()`coalesce(c.second_factor_from <= now() and (a.is_owner or a.is_manager), false)`;

/**
 * Decides that people of the company sign in with this provider only, but for the owner `fallbackAccountId` and
 * their password. The acting owner must have an identity there. Open sessions stay.
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

/**
 * What a person does next whose password or passkey was right, where the company requires a provider.
 * `connect`: they connect it. `provider-only`: they use it, for they are connected. `needs-link`: they
 * need a second factor as well, which a password is not. `provider-missing`: the settings do not have it.
 */
export type StepToProvider =
  | { step: 'connect' | 'provider-only' | 'needs-link'; provider: string }
  | { step: 'provider-missing' };

export async function findStepToProvider({
  companyId,
  accountId,
  hasSecondFactor = false,
}: AuthenticatedAccount): Promise<StepToProvider> {
  const [row] = await sql()<{ issuer: string | null; isConnected: boolean; needsSecondFactor: boolean }[]>`
    select c.only_issuer as issuer, ${isConnected(sql()`c.only_issuer`)} as "isConnected",
      ${needsSecondFactor()} as "needsSecondFactor"
    from accounts a join companies c on c.id = a.company_id where a.company_id = ${companyId} and a.id = ${accountId}`;
  const [provider] = listProviders([row?.issuer ?? '']);
  if (!row || !provider) return { step: 'provider-missing' };
  if (row.isConnected) return { step: 'provider-only', provider: provider.id };
  const mayConnect = hasSecondFactor || !row.needsSecondFactor;
  return { step: mayConnect ? 'connect' : 'needs-link', provider: provider.id };
}

/**
 * Connects an account that was proved, but has no identity at the provider of its company, with one
 * there. Returns the account, signed in by it. `'old-session'`: the account or the rule has changed.
 */
export async function connectRequiredIdentity(
  account: AccountVersion,
  identity: Identity,
): Promise<AuthenticatedAccount | 'identity-taken' | 'old-session'> {
  const { companyId, accountId, sessionVersion } = account;
  const { issuer } = identity;
  const connect = inTransaction(async (tx) => {
    await lockCompanyRow(tx, { companyId });
    const allowed = await tx`
      select from accounts a join companies c on c.id = a.company_id
      left join employees e on e.company_id = a.company_id and e.account_id = a.id
      where a.company_id = ${companyId} and a.id = ${accountId} and a.session_version = ${sessionVersion}
        and (a.is_owner or a.is_manager or e.active) and c.only_issuer = ${issuer}
        and not ${isConnected(sql()`${issuer}`)}`;
    if (allowed.length === 0) return 'old-session';
    await insertIdentity(tx, { companyId, accountId }, identity);
    return withIdentity({ companyId, accountId, sessionVersion }, identity);
  });
  return unlessIdentityTaken(connect);
}

/** The issuers that companies require and the settings do not have, and how many companies require each. */
export async function listMissingIssuers(): Promise<{ issuer: string; companies: number }[]> {
  return sql()<{ issuer: string; companies: number }[]>`
    select only_issuer as issuer, count(*)::int as companies from companies
    where only_issuer is not null and only_issuer <> all(${listProviders().map(({ issuer }) => issuer)}::text[]) group by 1 order by 1`;
}

/** Lets people of the company sign in with everything they have. */
export async function allowAllMethods(owner: Owner): Promise<'changed'> {
  return asOwner(owner, async (tx) => {
    await tx`update companies set only_issuer = null, fallback_account_id = null where id = ${owner.companyId}`;
    await recordAudit(tx, owner, 'company.allow-all-methods', {});
    return 'changed' as const;
  });
}
