import { type Sql, sql, type Transaction } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import type { Owner } from '#server/principals.ts';

// A person who forgot their password gives up before 20 attempts.
const minFailuresOfAccount = 20;
const minFailuresOfCompany = 100;
const shownNames = 3;

/**
 * Someone is guessing passwords of a company: wrong ones from browsers that the accounts do not
 * know, without a right one from the same address. `names` are up to three accounts with the most
 * failures, `more` is how many others there are.
 */
export type Guessing = { names: string[]; more: number; failures: number; addresses: number; since: Date };

/**
 * Whether someone is guessing: 20 failures for an account or 100 for the company, each within an hour of the
 * one before from that address. Null an hour after the last failure.
 */
export async function findGuessing(
  { companyId }: Pick<Owner, 'companyId'>,
  from: Sql | Transaction = sql(),
): Promise<Guessing | null> {
  const accounts = await from<{ name: Rows['accounts']['name']; failures: number; since: Date; sources: string[] }[]>`
    select a.name, sum(f.failures)::int as failures, min(f.started_at) as since,
      array_agg(encode(f.source, 'hex')) as sources
    from failed_sign_ins f join accounts a on a.company_id = f.company_id and a.id = f.account_id
    where f.company_id = ${companyId} and f.last_at > now() - interval '1 hour'
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

/** Someone guesses passwords of a company, for the devices of its owners. */
export type GuessingToPush = { kind: 'guessing'; companyId: number; failures: number };

const maxTaken = 100;

/**
 * Takes the companies in which someone guesses passwords and whose owners' devices heard of it over an hour
 * ago or never. Of several processes that ask at once, one gets a company.
 */
export async function takeGuessingToPush(tx: Transaction): Promise<GuessingToPush[]> {
  const suspects = await tx<Pick<Rows['failedSignIns'], 'companyId'>[]>`
    select f.company_id as "companyId" from failed_sign_ins f
    join companies c on c.id = f.company_id
    where f.company_id in (
        select recent.company_id from failed_sign_ins recent where recent.last_at > now() - interval '10 minutes')
      and f.last_at > now() - interval '1 hour' and ${isUntold()}
      and exists (select from owner_devices d where d.company_id = f.company_id)
    group by f.company_id
    having sum(f.failures) >= ${minFailuresOfAccount}
      and max(f.last_at) > coalesce(max(c.guessing_pushed_at), '-infinity')
    order by 1 limit ${maxTaken}`;
  const pushes: GuessingToPush[] = [];
  for (const { companyId } of suspects) {
    const guessing = await findGuessing({ companyId }, tx);
    if (!guessing) continue;
    const { count } = await tx`
      update companies c set guessing_pushed_at = now() where c.id = ${companyId} and ${isUntold()}`;
    if (count > 0) pushes.push({ kind: 'guessing', companyId, failures: guessing.failures });
  }
  return pushes;
}

const isUntold = () => sql()`(c.guessing_pushed_at is null or c.guessing_pushed_at <= now() - interval '1 hour')`;
