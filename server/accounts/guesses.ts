import { sql } from '#db/client.ts';
import type { Owner } from '#server/principals.ts';

// Someone who forgot a password gives up or asks for an invitation before that.
const minFailuresOfAccount = 20;
const minFailuresOfCompany = 100;
const shownNames = 3;

/**
 * Someone is guessing passwords of a company: wrong ones from browsers that the accounts do not
 * know, without a right one from the same address. `names` are up to three accounts with the most
 * failures, `more` is how many others there are.
 */
export type Guessing = { names: string[]; more: number; failures: number; addresses: number; since: Date };

type GuessedAccount = { name: string; failures: number; since: Date; sources: string[] };

/**
 * Whether someone is guessing: 20 failures for an account or 100 for the company, each at most an
 * hour after the one before it from that address. Null an hour after the last failure.
 */
export async function findGuessing({ companyId }: Owner): Promise<Guessing | null> {
  const accounts = await sql()<GuessedAccount[]>`
    select a.name, sum(g.failures)::int as failures, min(g.started_at) as since,
      array_agg(encode(g.source, 'hex')) as sources
    from sign_in_guesses g join accounts a on a.company_id = g.company_id and a.id = g.account_id
    where g.company_id = ${companyId} and g.last_at > now() - interval '1 hour'
    group by a.company_id, a.id, a.name order by failures desc, a.id`;
  const attacked = accounts.filter(({ failures }) => failures >= minFailuresOfAccount);
  const all = accounts.reduce((sum, { failures }) => sum + failures, 0);
  const guessed = attacked.length > 0 ? attacked : all >= minFailuresOfCompany ? accounts : [];
  if (guessed.length === 0) return null;
  return {
    names: guessed.slice(0, shownNames).map(({ name }) => name),
    more: Math.max(0, guessed.length - shownNames),
    failures: guessed.reduce((sum, { failures }) => sum + failures, 0),
    addresses: new Set(guessed.flatMap(({ sources }) => sources)).size,
    since: new Date(Math.min(...guessed.map(({ since }) => since.getTime()))),
  };
}
