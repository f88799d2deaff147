import { inTransaction, sql, type Transaction } from '#db/client.ts';
import { announceAccessChange, lockCompanyRow } from '#db/company-row.ts';
import type { Rows } from '#db/schema/rows.ts';
import { generateToken } from '#server/accounts/owners/invitation-token.ts';
import { insertLink, insertOwnerInvitation, operatorLinkMinutes } from '#server/accounts/owners/owner-links.ts';
import { endAllSessions } from '#server/accounts/sessions/sessions.ts';
import { recordAudit } from '#server/audit/record.ts';
import type { Operator } from '#server/principals.ts';

/** An owner as the operator sees one. `signedInAt` is null before the first sign-in. */
type OwnerOfCompany = Pick<Rows['accounts'], 'companyId' | 'name' | 'username' | 'signedInAt'> & {
  accountId: Rows['accounts']['id'];
  companyName: Rows['companies']['name'];
};

/** The owners of this company, or of all, those of the oldest company first. */
export async function listAllOwners(_: Operator, companyId: number | null): Promise<OwnerOfCompany[]> {
  return sql()<OwnerOfCompany[]>`
    select c.id as "companyId", c.name as "companyName", a.id as "accountId", a.name, a.username,
      a.signed_in_at as "signedInAt"
    from accounts a join companies c on c.id = a.company_id
    where a.is_owner and (${companyId}::int is null or a.company_id = ${companyId}::int)
    order by c.id, coalesce(a.owner_since, a.created_at), a.id`;
}

/**
 * Invites a new owner of a company by name, for the operator, who hands the link over. It is valid
 * once, for 30 minutes. The person chooses username and password.
 */
export async function inviteOwnerAsOperator(
  operator: Operator,
  { companyId, name }: { companyId: number; name: string },
): Promise<{ token: string } | 'too-many'> {
  return inTransaction(async (tx) => {
    await lockCompanyRow(tx, { companyId });
    const invitation = { name, rights: 'owner', validMinutes: operatorLinkMinutes } as const;
    const result = await insertOwnerInvitation(tx, { companyId }, invitation);
    if (result !== 'too-many') await recordAudit(tx, { companyId, ...operator }, 'owner.invite', { name });
    return result;
  });
}

type AccountRow = Pick<Rows['accounts'], 'companyId' | 'name' | 'isOwner' | 'isManager'> & {
  accountId: Rows['accounts']['id'];
  employeeId: number | null;
  companyName: Rows['companies']['name'];
};

// Runs `work` in a transaction with the account of this username, after `lock`.
async function onAccount<Result extends object | string>(
  username: string,
  lock: typeof lockCompanyRow,
  work: (tx: Transaction, account: AccountRow) => Promise<Result>,
): Promise<Result | 'no-such-account'> {
  return inTransaction(async (tx) => {
    const find = () => tx<AccountRow[]>`
      select a.company_id as "companyId", a.id as "accountId", a.name, a.is_owner as "isOwner",
        a.is_manager as "isManager", c.name as "companyName",
        (select e.id from employees e where e.company_id = a.company_id and e.account_id = a.id) as "employeeId"
      from accounts a join companies c on c.id = a.company_id where lower(a.username) = lower(${username})`;
    const [unlocked] = await find();
    if (!unlocked) return 'no-such-account';
    await lock(tx, unlocked);
    // The rights of the account may have changed before the lock.
    const [account = unlocked] = await find();
    return work(tx, account);
  });
}

/**
 * Makes a link with which an owner chooses a new password, for the operator of the service, who
 * hands it over. It is valid once, for 30 minutes, and replaces an older one.
 */
export async function createOperatorLink(
  operator: Operator,
  username: string,
): Promise<{ token: string; name: string; companyName: string } | 'no-such-account' | 'not-an-owner'> {
  const token = generateToken();
  return onAccount(username, lockCompanyRow, async (tx, account) => {
    if (!account.isOwner) return 'not-an-owner';
    const { companyId, accountId, name, companyName } = account;
    await insertLink(tx, { companyId, accountId, createdBy: null }, token, operatorLinkMinutes);
    await recordAudit(tx, { companyId, ...operator }, 'owner.link', { accountId, name });
    return { token, name, companyName };
  });
}

/**
 * Ends all sessions of the account with this username, as owners do for each other: open portals
 * close at once, devices receive nothing more, the password stays valid. Returns their number.
 */
export async function endSessionsOfAccount(
  operator: Operator,
  username: string,
): Promise<{ name: string; companyName: string; sessions: number } | 'no-such-account'> {
  return onAccount(username, announceAccessChange, async (tx, account) => {
    const { companyId, accountId, employeeId, isOwner, isManager, name, companyName } = account;
    const sessions = await endAllSessions(tx, account, [accountId]);
    const actor = { companyId, ...operator };
    if (isManager) await recordAudit(tx, actor, 'manager.sign-out', { accountId, name });
    else if (isOwner || employeeId === null) await recordAudit(tx, actor, 'owner.sign-out', { accountId, name });
    else await recordAudit(tx, actor, 'employee.sign-out', { employeeId, name });
    return { name, companyName, sessions };
  });
}

const maxEndMs = 60_000;

/**
 * Ends all sessions of all people of a company, with one audit entry. Returns their number. Without
 * a session nothing is written.
 */
export async function endSessionsOfCompany(
  operator: Operator,
  { companyId }: { companyId: number },
): Promise<{ sessions: number }> {
  return inTransaction(async (tx) => {
    await announceAccessChange(tx, { companyId });
    // A large company has more sessions than the default time limit allows to delete.
    await tx`select set_config('statement_timeout', ${String(maxEndMs)}, true)`;
    const signedIn = await tx<Pick<Rows['sessions'], 'accountId'>[]>`
      select distinct account_id as "accountId" from sessions where company_id = ${companyId}`;
    if (signedIn.length === 0) return { sessions: 0 };
    const accountIds = signedIn.map(({ accountId }) => accountId);
    const sessions = await endAllSessions(tx, { companyId }, accountIds);
    await recordAudit(tx, { companyId, ...operator }, 'company.sign-out', { count: sessions });
    return { sessions };
  });
}

type MovedIssuer = { companyId: number; name: string; identities: number; taken: number };

/**
 * Moves the identities and sessions of one issuer, and the rules of their companies, to the issuer that the
 * same provider uses now. Each company is one transaction with an audit entry. Identities that the new issuer
 * has already (`taken`) stay. Without `apply` nothing is changed. Returns the companies concerned.
 */
export async function moveIssuer(
  operator: Operator,
  { from, to, apply }: { from: string; to: string; apply: boolean },
): Promise<MovedIssuer[]> {
  const isTaken = sql()`exists (select from identities o where o.issuer = ${to} and o.subject = i.subject)`;
  const companies = await sql()<MovedIssuer[]>`
    select c.id as "companyId", c.name, count(i.id) filter (where not ${isTaken})::int as identities, count(i.id) filter (where ${isTaken})::int as taken
    from companies c left join identities i on i.company_id = c.id and i.issuer = ${from}
    where i.id is not null or c.only_issuer = ${from}
    group by c.id order by c.id`;
  for (const { companyId } of apply ? companies : [])
    await inTransaction(async (tx) => {
      await announceAccessChange(tx, { companyId });
      const moved = await tx`
        update identities i set issuer = ${to} where i.company_id = ${companyId} and i.issuer = ${from} and not ${isTaken}`;
      await tx`update companies set only_issuer = ${to} where id = ${companyId} and only_issuer = ${from}`;
      await tx`update sessions set issuer = ${to} where company_id = ${companyId} and issuer = ${from}`;
      await recordAudit(tx, { companyId, ...operator }, 'identity.move', { from, to, count: moved.count });
    });
  return companies;
}
