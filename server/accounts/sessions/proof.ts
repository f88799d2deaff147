import { byId, db, findRow } from '#db/client.ts';
import { type AnyPgColumn, and, eq, type SQLWrapper, sql } from '#db/drizzle.cjs';
import { accounts, companies, sessions } from '#db/schema/tables.ts';
import type { Session } from '#server/principals.ts';

type AccountColumns = Record<'id' | 'isOwner', AnyPgColumn>;
type CompanyColumns = Record<'fallbackAccountId' | 'onlyIssuer', AnyPgColumn>;

/**
 * SQL: the issuer of the only provider with which an account of a company may sign in, or null. The
 * owner whose password stays as the way back has none.
 */
export const onlyIssuerOf = (account: AccountColumns, company: CompanyColumns) => sql<string | null>`
  case when (${account.isOwner} and ${account.id} = ${company.fallbackAccountId}) is not true then ${company.onlyIssuer} end`;

/**
 * SQL: whether an account of a company may prove who it is in this way: with an identity of `issuer`, or
 * with what has none (null: a password, passkey or link). Each sign-in, and each proof within a session,
 * asks it.
 */
export const isWayOf = (
  issuer: string | null | SQLWrapper,
  account: AccountColumns = accounts,
  company: CompanyColumns = companies,
) => {
  const only = onlyIssuerOf(account, company);
  return sql<boolean>`coalesce(${only} = ${issuer}, ${only} is null)`;
};

/**
 * Marks a session as re-authenticated, and with `hasSecondFactor` as one of two factors. With
 * `'provider-only'` the second factor alone counts: the company allows another way only.
 */
export async function proveSession(
  { account, sessionId }: Pick<Session, 'account' | 'sessionId'>,
  { issuer, hasSecondFactor }: Pick<Session, 'issuer' | 'hasSecondFactor'>,
): Promise<'proved' | 'provider-only'> {
  const proved = await findRow(
    db()
      .update(sessions)
      .set({
        provedAt: sql`case when ${isWayOf(issuer)} then now() else ${sessions.provedAt} end`,
        hasSecondFactor: hasSecondFactor || undefined,
      })
      .from(accounts)
      .innerJoin(companies, eq(companies.id, accounts.companyId))
      .where(and(byId(sessions, account, sessionId), byId(accounts, sessions, sessions.accountId)))
      .returning({ isWay: isWayOf(issuer) }),
  );
  return proved?.isWay === false ? 'provider-only' : 'proved';
}
