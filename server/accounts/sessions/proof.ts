import { asFragment, type Fragment, sql } from '#db/client.ts';
import { type AnyPgColumn, alias, sql as expression } from '#db/drizzle.cjs';
import { accounts, companies } from '#db/schema/tables.ts';
import type { Session } from '#server/principals.ts';

/**
 * SQL: the issuer of the only provider with which the account `a` of the company `c` may sign in, or
 * null. The owner whose password stays as the way back has none.
 */
export const onlyIssuer = () => asFragment(onlyIssuerOf(alias(accounts, 'a'), alias(companies, 'c')));

/** As `onlyIssuer`, of an account of a company. */
export const onlyIssuerOf = (
  account: Record<'id' | 'isOwner', AnyPgColumn>,
  company: Record<'fallbackAccountId' | 'onlyIssuer', AnyPgColumn>,
) => expression<string | null>`
  case when (${account.isOwner} and ${account.id} = ${company.fallbackAccountId}) is not true then ${company.onlyIssuer} end`;

/**
 * SQL: whether the account `a` of the company `c` may prove who it is in this way: with an identity
 * of `issuer`, or with what has none (null: a password, passkey or link). Each sign-in, and each
 * proof within a session, asks it.
 */
export const isWay = (issuer: string | null | Fragment) => sql()`
  coalesce(${onlyIssuer()} = ${issuer}, ${onlyIssuer()} is null)`;

/**
 * Marks a session as re-authenticated, and with `hasSecondFactor` as one of two factors. With
 * `'provider-only'` the second factor alone counts: the company allows another way only.
 */
export async function proveSession(
  { account, sessionId }: Pick<Session, 'account' | 'sessionId'>,
  { issuer, hasSecondFactor }: Pick<Session, 'issuer' | 'hasSecondFactor'>,
): Promise<'proved' | 'provider-only'> {
  const [proved] = await sql()<{ isWay: boolean }[]>`
    update sessions s set proved_at = case when ${isWay(issuer)} then now() else proved_at end,
      has_second_factor = has_second_factor or ${hasSecondFactor}
    from accounts a join companies c on c.id = a.company_id
    where s.company_id = ${account.companyId} and s.id = ${sessionId} and a.company_id = s.company_id
      and a.id = s.account_id
    returning ${isWay(issuer)} as "isWay"`;
  return proved?.isWay === false ? 'provider-only' : 'proved';
}
