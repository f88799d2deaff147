import { byId, countRows, db, findRow, inTransaction, matches, requireRow, updateRows } from '#db/client.ts';
import { withManager } from '#db/company-row.ts';
import { alias, and, desc, eq, exists, gt, isNotNull, isNull, lt, ne, sql } from '#db/drizzle.cjs';
import { accounts, companies, employees, invitations, joinLinks, joinRequests } from '#db/schema/tables.ts';
import {
  findShownToken,
  generateToken,
  hashToken,
  invitationDays,
  isInvitationToken,
  makeShownToken,
} from '#server/accounts/sessions/tokens.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type EmployeeDetails, insertEmployees } from '#server/employees/employees.ts';
import { type JoinLinkTerms, maxJoinLinks } from '#server/employees/join-terms.ts';
import type { Manager } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';

// A full link takes no requests. Managers still see it, until it expires.
const isOpen = and(isNull(joinLinks.revokedAt), gt(joinLinks.expiresAt, sql`now()`));

/** Makes a link with which people ask to join. Its token can be typed; its hash and salt are stored. */
export async function createJoinLink(
  manager: Manager,
  { role, days, maxRequests }: JoinLinkTerms,
): Promise<{ id: number; token: string } | 'too-many'> {
  const { companyId, accountId } = manager;
  const { token, salt } = makeShownToken('typed');
  return withManager(manager, async (tx) => {
    if ((await countRows(db(tx), joinLinks, { companyId }, isOpen)) >= maxJoinLinks) return 'too-many';
    const expiresAt = sql`now() + ${days} * interval '1 day'`;
    const stored = { tokenHash: hashToken(token), tokenSalt: salt, createdBy: accountId, expiresAt };
    const link = { companyId, role, maxRequests, ...stored };
    const { id } = await requireRow(db(tx).insert(joinLinks).values(link).returning({ id: joinLinks.id }));
    await recordAudit(tx, manager, 'join.open', { linkId: id, role, days, count: maxRequests });
    return { id, token };
  });
}

export function listJoinLinks({ companyId }: Manager) {
  const { id, role, requests, maxRequests, createdAt, expiresAt } = joinLinks;
  return db()
    .select({ id, role, requests, maxRequests, createdBy: accounts.name, createdAt, expiresAt })
    .from(joinLinks)
    .innerJoin(accounts, byId(accounts, joinLinks, joinLinks.createdBy))
    .where(and(eq(joinLinks.companyId, companyId), isOpen))
    .orderBy(desc(id));
}

/** Shows the token of an open join link again. `not-shown`: it was made with another AUTH_SECRET. */
export async function showJoinLink(
  manager: Manager,
  id: number,
): Promise<{ token: string } | 'no-such-link' | 'not-shown'> {
  return withManager(manager, async (tx) => {
    const { accountId } = manager;
    const [link] = await db(tx)
      .update(joinLinks)
      .set({ shownTo: sql`array_append(array_remove(${joinLinks.shownTo}, ${accountId}::int), ${accountId}::int)` })
      .where(and(byId(joinLinks, manager, id), isOpen))
      .returning({ hash: joinLinks.tokenHash, salt: joinLinks.tokenSalt, role: joinLinks.role });
    if (!link) return 'no-such-link';
    const token = findShownToken(link);
    if (token === null) return 'not-shown';
    await recordAudit(tx, manager, 'join.show', { linkId: id, role: link.role });
    return { token };
  });
}

/** Ends a join link at once. Requests that came with it stay. */
export async function revokeJoinLink(manager: Manager, id: number): Promise<'revoked' | 'no-such-link'> {
  return withManager(manager, async (tx) => {
    const isChosen = and(byId(joinLinks, manager, id), isOpen);
    const revoking = db(tx).update(joinLinks).set({ revokedAt: sql`now()` }).where(isChosen);
    const [revoked] = await revoking.returning({ role: joinLinks.role });
    if (!revoked) return 'no-such-link';
    await recordAudit(tx, manager, 'join.close', { linkId: id, role: revoked.role });
    return 'revoked';
  });
}

/** What a stranger sees of the join link of a token; null: unknown, ended, revoked or full. */
export async function findJoinLink(token: string) {
  if (!isInvitationToken(token)) return null;
  const { companyId, id: linkId } = joinLinks;
  const asksRole = sql<boolean>`${isNull(joinLinks.role)}`;
  return findRow(
    db()
      .select({ companyId, companyName: companies.name, linkId, asksRole })
      .from(joinLinks)
      .innerJoin(companies, eq(companies.id, joinLinks.companyId))
      .where(and(eq(joinLinks.tokenHash, hashToken(token)), isOpen, lt(joinLinks.requests, joinLinks.maxRequests))),
  );
}

export const maxBulkRequests = 200;

/**
 * Stores a request to join. `role` counts when the link has none. The token, stored as its hash, shows the decision and
 * is the invitation after an approval. `max_requests` limits requests and audit entries. `'too-many-wait'`: of
 * `address` (an `addressGroup`) as many wait as the link has places left, plus those approved: it cannot use up the
 * link, and a workplace can join.
 */
export async function requestToJoin(
  linkToken: string,
  { name, role }: { name: string; role: string | null },
  address: string,
): Promise<{ token: string } | 'no-such-link' | 'too-many-wait'> {
  if (!isInvitationToken(linkToken)) return 'no-such-link';
  const token = generateToken();
  return inTransaction(async (tx) => {
    const [link] = await db(tx)
      .select({
        companyId: joinLinks.companyId,
        linkId: joinLinks.id,
        role: joinLinks.role,
        places: sql<number>`${joinLinks.maxRequests} - ${joinLinks.requests}`,
      })
      .from(joinLinks)
      .where(and(eq(joinLinks.tokenHash, hashToken(linkToken)), isOpen, lt(joinLinks.requests, joinLinks.maxRequests)))
      .for('no key update');
    if (!link) return 'no-such-link';
    const { companyId, linkId, places } = link;
    const waiting = db(tx)
      .select({
        count: sql`count(*) filter (where ${isNull(joinRequests.decidedAt)})
          - count(*) filter (where ${isNotNull(joinRequests.employeeId)})`,
      })
      .from(joinRequests)
      .where(matches(joinRequests, { companyId, linkId, address }));
    const placed = await db(tx)
      .update(joinLinks)
      .set({ requests: sql`${joinLinks.requests} + 1` })
      .where(and(byId(joinLinks, { companyId }, linkId), sql`${places} > ${waiting}`))
      .returning({ id: joinLinks.id });
    if (placed.length === 0) return 'too-many-wait';
    const details = { name, role: link.role ?? role, linkId };
    await db(tx)
      .insert(joinRequests)
      .values({ ...details, companyId, tokenHash: hashToken(token), address });
    await recordAudit(tx, { companyId, kind: 'system' }, 'join.request', details);
    return { token };
  });
}

/** `joined`: the person who asked has an account. `expired`: the invitation ended before. */
type State = 'waiting' | 'approved' | 'declined' | 'joined' | 'expired';

/** The request of a token, or null. An approved person opens the invitation with the same token. */
export async function findJoinRequest(token: string) {
  if (!isInvitationToken(token)) return null;
  const isInvitation = matches(invitations, { companyId: joinRequests.companyId, tokenHash: joinRequests.tokenHash });
  const isValid = and(isInvitation, isNull(invitations.usedAt), gt(invitations.expiresAt, sql`now()`));
  const valid = db().select({ tokenHash: invitations.tokenHash }).from(invitations).where(isValid);
  return findRow(
    db()
      .select({
        companyId: joinRequests.companyId,
        companyName: companies.name,
        name: joinRequests.name,
        state: sql<State>`case when ${joinRequests.decidedAt} is null then 'waiting'
          when ${joinRequests.employeeId} is null then 'declined' when ${employees.accountId} is not null then 'joined'
          when ${exists(valid)} and ${employees.active} then 'approved' else 'expired' end`,
      })
      .from(joinRequests)
      .innerJoin(companies, eq(companies.id, joinRequests.companyId))
      .leftJoin(employees, byId(employees, joinRequests, joinRequests.employeeId))
      .where(eq(joinRequests.tokenHash, hashToken(token))),
  );
}

/** A request without a decision. `twice`: another has the same name. Those with one `network` came from one address. */
export type JoinRequest = Awaited<ReturnType<typeof listJoinRequests>>[number];

const isWaiting = isNull(joinRequests.decidedAt);

/** The open requests of the manager's company, the oldest first, at most `maxBulkRequests`. */
export function listJoinRequests({ companyId }: Manager) {
  const { id, role, active } = employees;
  const isNamesake = sql`lower(${employees.name}) = lower(${joinRequests.name})`;
  const namesake = db()
    .select({ employee: sql`jsonb_build_object('employeeId', ${id}, 'role', ${role}, 'active', ${active})` })
    .from(employees)
    .where(and(eq(employees.companyId, joinRequests.companyId), isNamesake))
    .orderBy(desc(active), id)
    .limit(1);
  const other = alias(joinRequests, 'other');
  const areOpen = matches(other, { companyId: joinRequests.companyId, decidedAt: null });
  const isOther = and(areOpen, ne(other.id, joinRequests.id));
  const hasName = and(isOther, sql`lower(${other.name}) = lower(${joinRequests.name})`);
  const others = db().select({ id: other.id }).from(other).where(hasName);
  return db()
    .select({
      id: joinRequests.id,
      name: joinRequests.name,
      role: sql<string>`coalesce(${joinRequests.role}, '')`,
      createdAt: joinRequests.createdAt,
      namesake: sql<{ employeeId: number; role: string; active: boolean } | null>`${namesake}`,
      twice: sql<boolean>`${exists(others)}`,
      network: sql<number>`dense_rank() over (order by ${joinRequests.address})::int`,
    })
    .from(joinRequests)
    .where(and(eq(joinRequests.companyId, companyId), isWaiting))
    .orderBy(joinRequests.id)
    .limit(maxBulkRequests);
}

export const countJoinRequests = async ({ companyId }: Manager): Promise<number> =>
  db().$count(joinRequests, and(eq(joinRequests.companyId, companyId), isWaiting));

type Approval = { id: number } & Pick<EmployeeDetails, 'name' | 'role'>;

/**
 * Approves requests, all or none: each person becomes an active employee, their token an invitation for 7 days. Ignores
 * decided ones and other companies. Returns how many.
 */
export async function approveJoinRequests(manager: Manager, approvals: Approval[]): Promise<number> {
  const { companyId, accountId } = manager;
  const byId = new Map(approvals.map((approval) => [approval.id, approval]));
  return withManager(manager, async (tx) => {
    const open = await db(tx)
      .select({
        id: joinRequests.id,
        name: joinRequests.name,
        hash: sql<string>`encode(${joinRequests.tokenHash}, 'hex')`,
      })
      .from(joinRequests)
      .where(and(matches(joinRequests, { companyId, id: [...byId.keys()] }), isWaiting))
      .orderBy(joinRequests.id)
      .for('update');
    if (open.length === 0) return 0;
    const requestId = newRequestId();
    const details = open.flatMap(({ id }) => byId.get(id) ?? []);
    const added = await insertEmployees(tx, manager, details, { requestId });
    const decided = added.map(({ employeeId }, index) => ({ employeeId, ...open[index] }));
    // As text: the builder has no table of JSON.
    await db(tx).execute(sql`
      with decided as (
        select * from jsonb_to_recordset(${JSON.stringify(decided)}::text::jsonb) as d ("employeeId" int, id int, hash text)
      ), invited as (
        insert into invitations (company_id, token_hash, employee_id, created_by, expires_at)
        select ${companyId}, decode(hash, 'hex'), "employeeId", ${accountId}, now() + ${invitationDays} * interval '1 day'
        from decided
      )
      update join_requests r set decided_at = now(), decided_by = ${accountId}, employee_id = d."employeeId"
      from decided d where r.company_id = ${companyId} and r.id = d.id`);
    const approved = added.map(({ staffNumber: _, ...person }, at) => ({ ...person, requestedName: open[at]?.name }));
    await recordAudit(tx, manager, 'join.approve', approved, requestId);
    return added.length;
  });
}

/** Declines requests; their links take as many others. As `approveJoinRequests` otherwise. */
export async function declineJoinRequests(manager: Manager, ids: number[]): Promise<number> {
  return withManager(manager, async (tx) => {
    const { companyId, accountId } = manager;
    const declined = await db(tx)
      .update(joinRequests)
      .set({ decidedAt: sql`now()`, decidedBy: accountId })
      .where(and(matches(joinRequests, { companyId, id: ids }), isWaiting))
      .returning({ linkId: joinRequests.linkId, name: joinRequests.name });
    for (const [linkId, { length }] of Map.groupBy(declined, (request) => request.linkId)) {
      const requests = sql`${joinLinks.requests} - ${length}`;
      await updateRows(db(tx), joinLinks, { companyId, id: linkId }, { requests });
    }
    const names = declined.map(({ name }) => ({ name }));
    if (names.length > 0) await recordAudit(tx, manager, 'join.decline', names);
    return names.length;
  });
}
