import { inTransaction, sql, type Transaction } from '#db/client.ts';
import type { Fragment } from '#db/notify.ts';
import type { Rows } from '#db/schema/rows.ts';
import { selectRead } from '#server/inbox/inbox.ts';
import { selectFromInbox } from '#server/inbox/read-state.ts';
import type { Employee } from '#server/principals.ts';

// About 100 ms of work.
const maxArchived = 5000;

/**
 * What was archived, for `undoArchive`: when, how many, which of them were unread before, and which
 * had come back from a snooze.
 */
export type Archived = { at: string; count: number; unread: number[]; back: number[] };

// As many as fit into a message to the person's other devices.
const maxTold = 100;

/** A condition over `notifications n`: this person must still confirm it, or its original. */
const waits = ({ companyId, employeeId }: Employee) => sql()`(
  (n.must_confirm or n.reminds_no is not null) and not exists (
    select from receipts done where done.company_id = ${companyId} and done.employee_id = ${employeeId}
      and done.no = coalesce(n.reminds_no, n.no) and done.confirmed_at is not null))`;

/**
 * Moves notifications of the person's inbox to their archive and marks them read. Leaves out what
 * they have still to confirm; `'to-confirm'` if that is all, `'not-in-inbox'` if none is theirs.
 */
export async function archive(
  employee: Employee,
  numbers: number[],
): Promise<Archived | 'to-confirm' | 'not-in-inbox'> {
  const { companyId, employeeId } = employee;
  return inTransaction(async (tx) => {
    const rows = await tx<{ no: number; waits: boolean; read: boolean; back: boolean }[]>`
      select n.no, ${waits(employee)} as waits, coalesce(r.snoozed_until <= now(), false) as back,
        r.unread_at is null and (r.read_at is not null or n.no <= e.read_up_to) as read
      from (${selectFromInbox(employee, numbers)}) mine
      join notifications n on n.company_id = mine.company_id and n.no = mine.no
      join employees e on e.company_id = ${companyId} and e.id = ${employeeId}
      left join receipts r on r.company_id = ${companyId} and r.employee_id = ${employeeId} and r.no = n.no`;
    if (rows.length === 0) return 'not-in-inbox';
    const free = rows.filter((row) => !row.waits);
    if (free.length === 0) return 'to-confirm';
    const { at, count } = await store(tx, employee, sql()`select unnest(${free.map(({ no }) => no)}::bigint[]) as no`);
    const numbersOf = (which: (row: (typeof rows)[number]) => boolean) => free.filter(which).map(({ no }) => no);
    return {
      at,
      count,
      unread: numbersOf((row) => !row.read),
      back: numbersOf((row) => row.back),
    };
  });
}

/**
 * Archives the newest 5,000 that the person has read. Leaves out what they have still to confirm.
 * `newest` are the numbers of the newest 100.
 */
export async function archiveRead(employee: Employee): Promise<Archived & { newest: number[] }> {
  return inTransaction(async (tx) => {
    const stored = await store(tx, employee, selectRead(employee, sql()`not ${waits(employee)}`, maxArchived));
    return { ...stored, unread: [], back: [] };
  });
}

// All of one call have the same time, which identifies them for `undoArchive`. What was read keeps
// the time at which it was read.
async function store(
  tx: Transaction,
  { companyId, employeeId }: Employee,
  numbers: Fragment,
): Promise<{ at: string; count: number; newest: number[] }> {
  const [row] = await tx<{ at: Date; count: number; newest: number[] }[]>`
    with archived as (
      insert into receipts as old (company_id, employee_id, no, read_at, archived_at)
      select ${companyId}, ${employeeId}, chosen.no, case when chosen.no > e.read_up_to then m.at end, m.at
      from (${numbers}) chosen
      join employees e on e.company_id = ${companyId} and e.id = ${employeeId}
      cross join (select date_trunc('milliseconds', now()) as at) m
      on conflict (company_id, employee_id, no) do update set archived_at = excluded.archived_at,
        read_at = coalesce(old.read_at, excluded.read_at), unread_at = null, snoozed_until = null
      returning no
    ) select date_trunc('milliseconds', now()) as at, (select count(*)::int from archived) as count,
      array(select no from archived order by no desc limit ${maxTold}) as newest`;
  return { at: (row?.at ?? new Date()).toISOString(), count: row?.count ?? 0, newest: row?.newest ?? [] };
}

/** Takes a call of `archive` or `archiveRead` back. Returns the numbers. */
export async function undoArchive(
  { companyId, employeeId }: Employee,
  { at, unread, back }: Omit<Archived, 'count'>,
): Promise<number[]> {
  const rows = await sql()<Pick<Rows['receipts'], 'no'>[]>`
    update receipts set archived_at = null,
      read_at = case when no = any(${unread}::bigint[]) and read_at = archived_at then null else read_at end,
      unread_at = case when no = any(${unread}::bigint[]) then now() end,
      snoozed_until = case when no = any(${back}::bigint[]) then now() end
    where company_id = ${companyId} and employee_id = ${employeeId} and archived_at = ${at}::timestamptz
    returning no`;
  return rows.map(({ no }) => no);
}

/** Moves one notification from the archive back to its place in the inbox. */
export async function restore({ companyId, employeeId }: Employee, no: number): Promise<'restored' | 'not-in-archive'> {
  const rows = await sql()`
    update receipts set archived_at = null
    where company_id = ${companyId} and employee_id = ${employeeId} and no = ${no} and archived_at is not null
    returning 1`;
  return rows.length > 0 ? 'restored' : 'not-in-archive';
}
