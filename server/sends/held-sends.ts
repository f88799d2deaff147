import { inTransaction, sql } from '#db/client.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { recordAudit } from '#server/audit/record.ts';
import { log } from '#server/log.ts';
import type { Kind } from '#server/notifications/kinds.ts';
import type { Manager } from '#server/principals.ts';
import { newRequestId } from '#server/request-id.ts';
import { afterSend, type DraftByHand, insertNotification } from '#server/sends/send.ts';

/** How long a send to everyone waits, so that its author can undo it, in milliseconds. */
export const undoMs = 10_000;

const sweepMs = 2000;

/** A send that waits, that left as notification `no`, or that was undone. */
export type HeldSend =
  | { state: 'held'; leavesInMs: number }
  | { state: 'sent'; no: number; reach: number }
  | { state: 'undone' };

/**
 * Stores a send that leaves after `undoMs`, whatever becomes of this process and of the page. A
 * second submit of the same `draftId` changes nothing. Returns what became of the draft.
 */
export async function holdSend(manager: Manager, draft: DraftByHand): Promise<HeldSend> {
  const { companyId, accountId } = manager;
  const { draftId, recipientId, title, body, kind, url, mustConfirm } = draft;
  await sql()`
    insert into held_sends
      (company_id, draft_id, account_id, recipient_id, title, body, kind, url, must_confirm, leaves_at)
    select ${companyId}, ${draftId}::uuid, ${accountId}, nullif(${recipientId}::int, 0), ${title}, ${body}, ${kind},
      ${url}::text, ${mustConfirm}, now() + ${undoMs} * interval '1 ms'
    where not exists (select from notifications where company_id = ${companyId} and draft_id = ${draftId}::uuid)
    on conflict do nothing`;
  const held = await findHeldSend(manager, draftId);
  if (!held) throw new Error('the send was not stored');
  // The sweep of any process sends it too, should this one have ended by then.
  if (held.state === 'held') setTimeout(() => void sendDueInTurn(), held.leavesInMs + 1).unref();
  return held;
}

/** What became of a draft of the owner's company, or null. */
export async function findHeldSend({ companyId }: Manager, draftId: string): Promise<HeldSend | null> {
  const [found] = await sql()<{ no: number | null; reach: number; undone: boolean; leavesInMs: number }[]>`
    select n.no, n.reach, h.undone_at is not null as undone,
      greatest(0, ceil(extract(epoch from h.leaves_at - now()) * 1000))::int as "leavesInMs"
    from (select ${companyId}::int as company_id, ${draftId}::uuid as draft_id) asked
    left join notifications n using (company_id, draft_id)
    left join held_sends h using (company_id, draft_id)
    where n.no is not null or h.leaves_at is not null`;
  if (!found) return null;
  if (found.no !== null) return { state: 'sent', no: found.no, reach: found.reach };
  return found.undone ? { state: 'undone' } : { state: 'held', leavesInMs: found.leavesInMs };
}

/**
 * Undoes a send that has not left, with an audit entry. A send that leaves at this moment wins: the
 * row is locked until it is sent. Returns what became of the draft.
 */
export async function undoHeldSend(manager: Manager, draftId: string): Promise<HeldSend | null> {
  const isUndone = await inTransaction(async (tx) => {
    const [undone] = await tx<{ title: string; recipientId: number | null }[]>`
      update held_sends set undone_at = now()
      where company_id = ${manager.companyId} and draft_id = ${draftId}::uuid and undone_at is null
      returning title, recipient_id as "recipientId"`;
    if (!undone) return false;
    const { title, recipientId } = undone;
    await recordAudit(tx, manager, 'notification.undo', { title, employeeId: recipientId ?? undefined });
    return true;
  });
  return isUndone ? { state: 'undone' } : findHeldSend(manager, draftId);
}

type DueRow = Omit<DraftByHand, 'recipientId'> & {
  companyId: number;
  companyName: string;
  timeZone: string;
  accountId: number;
  name: string;
  recipientId: number;
  kind: Kind;
};

type Left = { manager: Manager; draft: DraftByHand; no: number; reach: number; hasDevices: boolean };

/**
 * Sends all held sends whose time has come, of all companies, the oldest first. Any number of
 * processes may do so at once: each send leaves once. Returns how many left by this call. One that
 * fails is tried again by the next call and does not stop the others.
 */
export async function sendDue(): Promise<number> {
  const tried: string[] = [];
  for (let sent = 0; ; ) {
    const due = await findDue(tried);
    if (!due) return sent;
    try {
      sent += Number(await sendOne(due));
    } catch (error) {
      // For example a company whose row is locked.
      if (!isDatabaseUnavailable(error))
        log().warn({ err: error, companyId: due.companyId }, 'a held send did not leave; the next sweep tries again');
    }
    tried.push(due.draftId);
  }
}

async function findDue(without: string[]): Promise<{ companyId: number; draftId: string } | undefined> {
  const [due] = await sql()<{ companyId: number; draftId: string }[]>`
    select company_id as "companyId", draft_id as "draftId" from held_sends
    where undone_at is null and leaves_at <= now() and draft_id <> all(${without}::uuid[])
    order by leaves_at limit 1`;
  return due;
}

// The lock decides between processes, and between leaving and undoing. It is taken before the lock of
// the company's row. Nobody takes the two in the other order.
async function sendOne({ companyId, draftId }: { companyId: number; draftId: string }): Promise<boolean> {
  const left = await inTransaction(async (tx): Promise<Left | null> => {
    const [due] = await tx<DueRow[]>`
      select h.company_id as "companyId", c.name as "companyName", c.time_zone as "timeZone",
        h.account_id as "accountId", a.name, h.draft_id as "draftId", coalesce(h.recipient_id, 0) as "recipientId",
        null as "toRoles", null as "toPeople", h.title, h.body, h.kind, h.url, h.must_confirm as "mustConfirm"
      from held_sends h join companies c on c.id = h.company_id
      join accounts a on a.company_id = h.company_id and a.id = h.account_id
      where h.company_id = ${companyId} and h.draft_id = ${draftId} and h.undone_at is null and h.leaves_at <= now()
      for update of h skip locked`;
    if (!due) return null;
    const { companyName, timeZone, accountId, name, ...draft } = due;
    const manager: Manager = { kind: 'manager', companyId, companyName, timeZone, accountId, name };
    const row = await insertNotification(manager, draft, newRequestId(), draft, tx);
    await tx`delete from held_sends where company_id = ${companyId} and draft_id = ${draftId}`;
    if (row.no !== null && row.reach !== null)
      return { manager, draft, no: row.no, reach: row.reach, hasDevices: row.hasDevices };
    if (row.numbered && !row.senderActive)
      await recordAudit(tx, { companyId, kind: 'system' }, 'notification.undo', { title: draft.title });
    return null;
  });
  if (!left) return false;
  afterSend(left.manager, left.draft, left.no, left.reach, left.hasDevices);
  return true;
}

// One sweep at a time in this process; the bundle of the pages has its own.
let running: Promise<void> | undefined;
let timer: NodeJS.Timeout | undefined;

// Errors of an unreachable database are not logged here: the next sweep tries again.
function sendDueInTurn(): Promise<void> {
  running ??= sendDue()
    .then(
      () => {},
      (error: unknown) => {
        if (!isDatabaseUnavailable(error)) log().warn({ err: error }, 'held sends could not be looked for');
      },
    )
    .finally(() => {
      running = undefined;
    });
  return running;
}

/** Starts the sweep: every 2 s this process sends what is due. Idempotent. */
export function startHeldSends(): void {
  timer ??= setInterval(() => void sendDueInTurn(), sweepMs).unref();
}

/** Stops the sweep and waits for what is being sent. Other processes send the rest. */
export async function stopHeldSends(): Promise<void> {
  clearInterval(timer);
  timer = undefined;
  await running;
}
