import { findRow, inTransaction, sql } from '#db/client.ts';
import { asManager } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import {
  generateToken,
  hashToken,
  invitationDays,
  isInvitationToken,
} from '#server/accounts/owners/invitation-token.ts';
import { recordAudit, recordAudits } from '#server/audit/record.ts';
import { type EmployeeDetails, insertEmployees } from '#server/employees/employment.ts';
import type { Manager } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';

export const maxBulkRequests = 200;

/**
 * Stores a request to join for a join link that takes requests. `role` is used only when the link
 * has none. Returns a token for the person's browser: with it the person sees the decision, and
 * after an approval creates the account. Only its hash is stored. Concurrent requests never exceed
 * `max_requests`, which also limits the audit entries. These do not contain the address.
 * `'too-many-wait'`: of `address` (an `addressGroup`) as many requests wait as the link has places
 * left, plus those approved. So one address cannot use up a link, and a workplace can join.
 */
export async function requestToJoin(
  linkToken: string,
  { name, role }: { name: string; role: string | null },
  address: string,
): Promise<{ token: string } | 'no-such-link' | 'too-many-wait'> {
  if (!isInvitationToken(linkToken)) return 'no-such-link';
  const token = generateToken();
  return inTransaction(async (tx) => {
    const [link] = await tx<(Pick<Rows['joinLinks'], 'companyId' | 'id' | 'role'> & { places: number })[]>`
      select company_id as "companyId", id, role, max_requests - requests as places from join_links
      where token_hash = ${hashToken(linkToken)} and revoked_at is null and expires_at > now()
        and requests < max_requests
      for no key update`;
    if (!link) return 'no-such-link';
    const [place] = await tx`
      update join_links l set requests = requests + 1
      where l.company_id = ${link.companyId} and l.id = ${link.id} and ${link.places} > (
        select count(*) filter (where decided_at is null) - count(*) filter (where employee_id is not null)
        from join_requests r
        where r.company_id = ${link.companyId} and r.link_id = ${link.id} and r.address = ${address})
      returning l.id`;
    if (!place) return 'too-many-wait';
    await tx`
      insert into join_requests (company_id, link_id, token_hash, name, role, address)
      values (${link.companyId}, ${link.id}, ${hashToken(token)}, ${name}, ${link.role ?? role}, ${address})`;
    const details = { name, role: link.role ?? role, linkId: link.id };
    await recordAudit(tx, { companyId: link.companyId, kind: 'system' }, 'join.request', details);
    return { token };
  });
}

/**
 * What the person who asked may see of the request. `joined`: the person has an account.
 * `expired`: it was approved, and the invitation ended before the person made one.
 */
type OwnJoinRequest = Pick<Rows['joinRequests'], 'companyId' | 'name'> & {
  companyName: Rows['companies']['name'];
  state: 'waiting' | 'approved' | 'declined' | 'joined' | 'expired';
};

/** The request of a token, or null. An approved person opens the invitation with the same token. */
export async function findJoinRequest(token: string): Promise<OwnJoinRequest | null> {
  if (!isInvitationToken(token)) return null;
  return findRow(sql()<OwnJoinRequest[]>`
    select r.company_id as "companyId", c.name as "companyName", r.name,
      case when r.decided_at is null then 'waiting' when r.employee_id is null then 'declined'
        when e.account_id is not null then 'joined'
        when exists (select from invitations i where i.company_id = r.company_id and i.token_hash = r.token_hash
          and i.used_at is null and i.expires_at > now()) and e.active then 'approved' else 'expired' end as state
    from join_requests r join companies c on c.id = r.company_id
    left join employees e on e.company_id = r.company_id and e.id = r.employee_id
    where r.token_hash = ${hashToken(token)}`);
}

/**
 * A request without a decision. `role` is what the link gives, or what the person wrote. `twice`:
 * another open request has the same name. Those with the same `network` came from one address.
 */
export type JoinRequest = Pick<Rows['joinRequests'], 'id' | 'name' | 'createdAt'> & {
  role: string;
  namesake: { employeeId: number; role: string; active: boolean } | null;
  twice: boolean;
  network: number;
};

/** The open requests of the manager's company, the oldest first, at most `maxBulkRequests`. */
export async function listJoinRequests({ companyId }: Manager): Promise<JoinRequest[]> {
  return sql()<JoinRequest[]>`
    select r.id, r.name, coalesce(r.role, '') as role, r.created_at as "createdAt",
      (select jsonb_build_object('employeeId', e.id, 'role', e.role, 'active', e.active) from employees e
        where e.company_id = r.company_id and lower(e.name) = lower(r.name) order by e.active desc, e.id limit 1) as namesake,
      exists (select from join_requests o where o.company_id = r.company_id and o.decided_at is null
        and o.id <> r.id and lower(o.name) = lower(r.name)) as twice,
      dense_rank() over (order by r.address)::int as network
    from join_requests r
    where r.company_id = ${companyId} and r.decided_at is null order by r.id limit ${maxBulkRequests}`;
}

export async function countJoinRequests({ companyId }: Manager): Promise<number> {
  const [row] = await sql()<{ count: number }[]>`
    select count(*)::int as count from join_requests where company_id = ${companyId} and decided_at is null`;
  return row?.count ?? 0;
}

type Approval = { id: number } & Pick<EmployeeDetails, 'name' | 'role'>;

/**
 * Approves up to 200 requests, all or none: each person becomes an active employee, and their
 * token becomes an invitation that is valid for 7 days. Ignores requests that were decided before,
 * and ids of other companies. Returns how many were approved. Throws when there are more than 200.
 */
export async function approveJoinRequests(manager: Manager, approvals: Approval[]): Promise<number> {
  if (approvals.length > maxBulkRequests) throw new Error(`a decision has at most ${maxBulkRequests} requests`);
  const { companyId, accountId } = manager;
  const byId = new Map(approvals.map((approval) => [approval.id, approval]));
  return asManager(manager, async (tx) => {
    const open = await tx<(Pick<Rows['joinRequests'], 'id' | 'name'> & { hash: string })[]>`
      select id, name, encode(token_hash, 'hex') as hash from join_requests
      where company_id = ${companyId} and decided_at is null and id = any(${[...byId.keys()]}::int[])
      order by id for update`;
    if (open.length === 0) return 0;
    const requestId = newRequestId();
    const details = open.flatMap(({ id }) => byId.get(id) ?? []);
    const added = await insertEmployees(tx, manager, details, { requestId });
    const decided = added.map(({ employeeId }, index) => ({ employeeId, ...open[index] }));
    await tx`
      with decided as (
        select * from jsonb_to_recordset(${JSON.stringify(decided)}::text::jsonb) as d ("employeeId" int, id int, hash text)
      ), invited as (
        insert into invitations (company_id, token_hash, employee_id, created_by, expires_at)
        select ${companyId}, decode(hash, 'hex'), "employeeId", ${accountId}, now() + ${invitationDays} * interval '1 day'
        from decided
      )
      update join_requests r set decided_at = now(), decided_by = ${accountId}, employee_id = d."employeeId"
      from decided d where r.company_id = ${companyId} and r.id = d.id`;
    const approved = added.map(({ staffNumber: _, ...person }, at) => ({ ...person, requestedName: open[at]?.name }));
    await recordAudits(tx, manager, 'join.approve', approved, requestId);
    return added.length;
  });
}

/**
 * Declines up to 200 requests; their links take as many others. Ignores requests that were decided
 * before, and ids of other companies. Returns how many were declined. Throws above 200.
 */
export async function declineJoinRequests(manager: Manager, ids: number[]): Promise<number> {
  if (ids.length > maxBulkRequests) throw new Error(`a decision has at most ${maxBulkRequests} requests`);
  return asManager(manager, async (tx) => {
    const declined = await tx<Pick<Rows['joinRequests'], 'name'>[]>`
      with declined as (
        update join_requests set decided_at = now(), decided_by = ${manager.accountId}
        where company_id = ${manager.companyId} and decided_at is null and id = any(${ids}::int[]) returning link_id, name
      ), freed as (
        update join_links l set requests = l.requests - d.count
        from (select link_id, count(*) from declined group by link_id) d
        where l.company_id = ${manager.companyId} and l.id = d.link_id
      )
      select name from declined`;
    if (declined.length > 0) await recordAudits(tx, manager, 'join.decline', [...declined]);
    return declined.length;
  });
}
