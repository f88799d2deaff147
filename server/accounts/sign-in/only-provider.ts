import { byId, countRows, db, findRow, hasRows, inTransaction, matches, requireRow } from '#db/client.ts';
import { lockCompanyRow, withOwner } from '#db/company-row.ts';
import { type AnyPgColumn, and, count, eq, isNotNull, not, or, sql } from '#db/drizzle.cjs';
import { accounts, companies, employees, identities } from '#db/schema/tables.ts';
import { a, c } from '#server/accounts/sessions/sessions.ts';
import type { Identity } from '#server/accounts/sign-in/cookies.ts';
import {
  insertIdentity,
  listProviders,
  nameOfIssuer,
  unlessIdentityTaken,
  withIdentity,
} from '#server/accounts/sign-in/identities.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { AccountVersion, AuthenticatedAccount, Owner } from '#server/principals.ts';

/** The rule of a company, and who may choose what: the owners with a password, the own issuers. */
export type ProviderRule = Awaited<ReturnType<typeof findProviderRule>>;

export async function findProviderRule({ companyId, accountId }: Owner) {
  const { onlyIssuer: issuer, fallbackAccountId } = companies;
  const fallbacks = sql<{ accountId: number; name: string }[]>`(
    select coalesce(jsonb_agg(
      jsonb_build_object('accountId', ${accounts.id}, 'name', ${accounts.name}) order by ${accounts.id}), '[]')
    from ${accounts} where ${and(eq(accounts.companyId, companyId), accounts.isOwner, isNotNull(accounts.passwordHash))})`;
  const issuers = sql<string[]>`array(
    select distinct ${identities.issuer} from ${identities} where ${matches(identities, { companyId, accountId })} order by 1)`;
  const rule = { issuer, fallbackAccountId, fallbacks, issuers };
  return requireRow(db().select(rule).from(companies).where(eq(companies.id, companyId)));
}

/**
 * The people with one readiness for a required provider: their number, the first ones from A to Z, and the
 * employees among all. `connected`: nothing changes. `connects`: their next sign-in leads to connecting it.
 * `needs-link`: they need a new link. `invited`: an employee without an account joins with it.
 */
type ReadinessGroup = {
  readiness: 'connected' | 'connects' | 'needs-link' | 'invited';
  count: number;
  people: { key: string; name: string; employeeId: number | null }[];
  employeeIds: number[];
};

/** Who of the company has connected this issuer, and what becomes of the others. `people` has up to `most` of a group. */
export async function listReadiness({ companyId }: Owner, issuer: string, most: number): Promise<ReadinessGroup[]> {
  // As text: the builder has no slice of an array, and its parts would be apart from what they mean.
  return db().execute<ReadinessGroup>(sql`
    select readiness, count(*) as count, to_jsonb((array_agg(
        jsonb_build_object('key', key, 'name', name, 'employeeId', id) order by lower(name), key))[1:${most}]) as people,
      coalesce(array_agg(id order by id) filter (where id is not null), '{}') as "employeeIds"
    from (
      select e.id, coalesce(e.name, a.name) as name, coalesce(a.username, e.id::text) as key, case
        when a.id is null then 'invited'
        when ${isConnected(a, issuer)} then 'connected'
        when a.password_hash is not null and not a.needs_factor or exists (
          select from passkeys p where p.company_id = a.company_id and p.account_id = a.id) then 'connects'
        else 'needs-link' end as readiness
      from (
        select a.*, ${needsSecondFactor(a, c)} as needs_factor from accounts a join companies c on c.id = a.company_id
        where a.company_id = ${companyId}
      ) a
      full join (select * from employees where company_id = ${companyId} and active) e on e.account_id = a.id
      where e.id is not null or a.is_owner or a.is_manager
    ) people group by readiness
    order by array_position(array['connects', 'needs-link', 'invited', 'connected'], readiness)`);
}

export const listUnconnected = (groups: ReadinessGroup[]): number[] =>
  groups.flatMap(({ readiness, employeeIds }) => (/^(connects|needs-link)$/.test(readiness) ? employeeIds : []));

const isConnected = (account: Record<'companyId' | 'id', AnyPgColumn>, issuer: string | AnyPgColumn) =>
  sql<boolean>`exists (select from ${identities} where ${identities.companyId} = ${account.companyId}
    and ${identities.accountId} = ${account.id} and ${identities.issuer} = ${issuer})`;

const needsSecondFactor = (
  account: Record<'isOwner' | 'isManager', AnyPgColumn>,
  company: Record<'secondFactorFrom', AnyPgColumn>,
) => sql<boolean>`
  coalesce(${company.secondFactorFrom} <= now() and (${account.isOwner} or ${account.isManager}), false)`;

/** Lets people sign in with this provider only, except the owner `fallbackAccountId`. Open sessions stay. */
export async function requireProvider(
  owner: Owner,
  { issuer, fallbackAccountId }: { issuer: string; fallbackAccountId: number },
): Promise<'changed' | 'not-linked' | 'no-such-owner'> {
  const { companyId, accountId } = owner;
  return withOwner(owner, async (tx) => {
    if ((await countRows(db(tx), identities, { companyId, accountId, issuer })) === 0) return 'not-linked';
    const chosen = byId(accounts, { companyId }, fallbackAccountId);
    const isFallback = and(chosen, accounts.isOwner, isNotNull(accounts.passwordHash));
    const fallback = await findRow(db(tx).select({ name: accounts.name }).from(accounts).where(isFallback));
    if (!fallback) return 'no-such-owner';
    await db(tx).update(companies).set({ onlyIssuer: issuer, fallbackAccountId }).where(eq(companies.id, companyId));
    const details = { provider: nameOfIssuer(issuer), fallback: fallback.name };
    await recordAudit(tx, owner, 'company.require-provider', details);
    return 'changed';
  });
}

type StepToProvider =
  | { step: 'connect' | 'provider-only' | 'needs-link'; provider: string }
  | { step: 'provider-missing' };

/**
 * What a person does next whose password or passkey was right, where a provider is required. `provider-only`: they have
 * connected it. `needs-link`: they need a second factor as well. `provider-missing`: the settings do not have it.
 */
export async function findStepToProvider(account: AuthenticatedAccount): Promise<StepToProvider> {
  const { companyId, accountId, hasSecondFactor = false } = account;
  const [row] = await db()
    .select({
      issuer: companies.onlyIssuer,
      isConnected: isConnected(accounts, companies.onlyIssuer),
      needsSecondFactor: needsSecondFactor(accounts, companies),
    })
    .from(accounts)
    .innerJoin(companies, eq(companies.id, accounts.companyId))
    .where(byId(accounts, { companyId }, accountId));
  const [provider] = listProviders([row?.issuer ?? '']);
  if (!row || !provider) return { step: 'provider-missing' };
  if (row.isConnected) return { step: 'provider-only', provider: provider.id };
  const mayConnect = hasSecondFactor || !row.needsSecondFactor;
  return { step: mayConnect ? 'connect' : 'needs-link', provider: provider.id };
}

/** Connects a proved account with an identity, and signs it in by that. `'old-session'`: account or rule changed. */
export async function connectRequiredIdentity(account: AccountVersion, identity: Identity) {
  const { companyId, accountId, sessionVersion } = account;
  const { issuer } = identity;
  const connect = inTransaction(async (tx) => {
    await lockCompanyRow(tx, { companyId });
    const isSame = matches(accounts, { companyId, id: accountId, sessionVersion });
    const mustConnect = and(eq(companies.onlyIssuer, issuer), not(isConnected(accounts, issuer)));
    const allowed = db(tx)
      .select({ id: accounts.id })
      .from(accounts)
      .innerJoin(companies, eq(companies.id, accounts.companyId))
      .leftJoin(employees, matches(employees, { companyId: accounts.companyId, accountId: accounts.id }))
      .where(and(isSame, or(accounts.isOwner, accounts.isManager, employees.active), mustConnect));
    if (!(await hasRows(allowed))) return 'old-session';
    await insertIdentity(tx, { companyId, accountId }, identity);
    return withIdentity({ companyId, accountId, sessionVersion }, identity);
  });
  return unlessIdentityTaken(connect);
}

/** The issuers that companies require and the settings do not have, and how many companies require each. */
export async function listMissingIssuers(): Promise<{ issuer: string; companies: number }[]> {
  const known = sql.param(listProviders().map(({ issuer }) => issuer));
  const { onlyIssuer } = companies;
  // When no provider is configured, `<> all` is also true for a null issuer.
  const isMissing = and(isNotNull(onlyIssuer), sql`${onlyIssuer} <> all(${known}::text[])`);
  return db()
    .select({ issuer: sql<string>`${onlyIssuer}`, companies: count() })
    .from(companies)
    .where(isMissing)
    .groupBy(onlyIssuer)
    .orderBy(onlyIssuer);
}

/** Lets people of the company sign in with everything they have. */
export async function allowAllMethods(owner: Owner): Promise<'changed'> {
  return withOwner(owner, async (tx) => {
    const anyone = { onlyIssuer: null, fallbackAccountId: null };
    await db(tx).update(companies).set(anyone).where(eq(companies.id, owner.companyId));
    await recordAudit(tx, owner, 'company.allow-all-methods', {});
    return 'changed' as const;
  });
}
