import type postgres from 'postgres';
import { sql } from '#db/client.ts';
import { olderThanKept } from '#server/companies/retention.ts';
import { inSmallSteps, unhurried } from '#server/jobs/batches.ts';
import { log } from '#server/log.ts';
import { newRequestId } from '#server/request-id.ts';

type Transaction = postgres.TransactionSql<{ bigint: number }>;

const lockClass = 7_236_023;
const notificationsAtOnce = 500;
const rowsAtOnce = 2000;
const placesAtOnce = 20_000;

/**
 * Deletes what companies no longer keep: notifications with what people did with them and what reminds of them, and refused
 * calls. In small steps with a breath as long between, so that no call waits for it. The audit log says how many notifications went.
 */
export async function forgetTooOld(): Promise<void> {
  for (let after = 0; ; ) {
    const companies = await sql()<{ id: number; keepsAll: boolean }[]>`
      select id, keep_notifications_days is null as "keepsAll" from companies where id > ${after} order by id limit 500`;
    if (companies.length === 0) return;
    for (const company of companies)
      await forgetOf(company).catch((error: unknown) => log().warn({ err: error }, 'a company’s old rows were kept'));
    after = companies.at(-1)?.id ?? after;
  }
}

async function forgetOf({ id, keepsAll }: { id: number; keepsAll: boolean }): Promise<void> {
  if (!keepsAll) await forgetNotifications(id);
  await forgetRefusals(id);
}

async function forgetNotifications(companyId: number): Promise<void> {
  let count = 0;
  let after = 0;
  try {
    for (;;) {
      const numbers = await findTooOld(companyId, after);
      after = numbers.at(-1) ?? after;
      if (numbers.length === 0) break;
      await hide(companyId, numbers);
      await forgetReceipts(companyId, numbers);
      const going = await forgetSome(companyId, numbers);
      if (going === 'somebody-else-forgets') break;
      count += going;
    }
  } finally {
    if (count > 0) await noteForgetting(companyId, count);
  }
  if (count > 0) await forgetReadMarks(companyId);
}

// The oldest that are left. Numbers grow with time, so only the lowest are looked at, and none that went before.
async function findTooOld(companyId: number, after: number): Promise<number[]> {
  const old = await sql()<{ no: number }[]>`
    select n.no from (
      select no, created_at from notifications where company_id = ${companyId} and no > ${after} order by no limit ${notificationsAtOnce}
    ) n join companies c on c.id = ${companyId}
    where n.created_at < ${olderThanKept('keep_notifications_days')} order by n.no`;
  return old.map(({ no }) => no);
}

// Before what people did with them goes: nothing that was read may seem unread for a moment.
async function hide(companyId: number, numbers: number[]): Promise<void> {
  await sql()`update notifications set withdrawn_at = now()
    where company_id = ${companyId} and withdrawn_at is null
      and (no = any(${numbers}::bigint[]) or reminds_no = any(${numbers}::bigint[]))`;
}

// Most of what people did with them goes first, some thousand rows at a time: one to everyone may have a row of each.
async function forgetReceipts(companyId: number, numbers: number[]): Promise<void> {
  const reminders = await sql()<{ no: number }[]>`
    select no from notifications where company_id = ${companyId} and reminds_no = any(${numbers}::bigint[])`;
  const all = [...numbers, ...reminders.map(({ no }) => no)];
  const findPlaces = async () => {
    const places = await sql()<{ at: string }[]>`
      select ctid::text as at from receipts where company_id = ${companyId} and no = any(${all}::bigint[]) limit ${placesAtOnce}`;
    return places.map(({ at }) => at);
  };
  for (let more = true; more; ) {
    const places = await findPlaces();
    more = places.length === placesAtOnce;
    while (places.length > 0) {
      const some = places.splice(0, rowsAtOnce);
      // A place may have been taken by another row since.
      await unhurried(
        () => sql()`delete from receipts
          where ctid = any(${some}::tid[]) and company_id = ${companyId} and no = any(${all}::bigint[])`,
      );
    }
  }
}

// The notifications, with the reminders of them and whatever was done with them in the meantime.
async function forgetSome(companyId: number, numbers: number[]): Promise<number | 'somebody-else-forgets'> {
  return unhurried(() =>
    sql().begin(async (transaction) =>
      (await hasTurn(transaction, companyId)) ? forgetThese(transaction, companyId, numbers) : 'somebody-else-forgets',
    ),
  );
}

async function hasTurn(transaction: Transaction, companyId: number): Promise<boolean> {
  const [lock] = await transaction<{ mine: boolean }[]>`
    select pg_try_advisory_xact_lock(${lockClass}, ${companyId}) as mine`;
  return lock?.mine ?? false;
}

async function forgetThese(transaction: Transaction, companyId: number, numbers: number[]): Promise<number> {
  // Locked first: nobody can leave a receipt on them any more.
  const going = await transaction<{ no: number }[]>`
    select no from notifications
    where company_id = ${companyId} and (no = any(${numbers}::bigint[]) or reminds_no = any(${numbers}::bigint[]))
    for update`;
  const all = going.map(({ no }) => no);
  await transaction`delete from receipts where company_id = ${companyId} and no = any(${all}::bigint[])`;
  await transaction`delete from notifications where company_id = ${companyId} and no = any(${all}::bigint[])`;
  return all.length;
}

// What really went, also when the run ended early.
async function noteForgetting(companyId: number, count: number): Promise<void> {
  await sql()`
    insert into audit_log (company_id, actor_kind, actor_name, action, details, request_id)
    select id, 'system', '', 'company.forget',
      jsonb_build_object('days', keep_notifications_days, 'count', ${count}::int), ${newRequestId()}
    from companies where id = ${companyId}`;
}

// A mark below every notification that is left tells the time of reading of none.
async function forgetReadMarks(companyId: number): Promise<void> {
  const [oldest] = await sql()<{ no: number | null }[]>`
    select coalesce(min(no), 0) as no from notifications where company_id = ${companyId}`;
  let after = 0;
  await inSmallSteps(async () => {
    const people = await sql()<{ id: number }[]>`
      select id from employees where company_id = ${companyId} and id > ${after} order by id limit ${rowsAtOnce}`;
    const ids = people.map(({ id }) => id);
    await sql()`delete from read_marks
      where company_id = ${companyId} and employee_id = any(${ids}::int[]) and up_to < ${oldest?.no ?? 0}`;
    after = ids.at(-1) ?? after;
    return ids.length === rowsAtOnce ? 'more' : 'done';
  });
}

async function forgetRefusals(companyId: number): Promise<void> {
  let after = 0;
  await inSmallSteps(async () => {
    const old = await sql()<{ id: number }[]>`
      select r.id from (
        select id, at from refusals where company_id = ${companyId} and id > ${after} order by id limit ${rowsAtOnce}
      ) r join companies c on c.id = ${companyId}
      where r.at < ${olderThanKept('keep_refusals_days')} order by r.id`;
    const ids = old.map(({ id }) => id);
    if (ids.length > 0)
      await sql()`delete from refusals where company_id = ${companyId} and id = any(${ids}::bigint[])`;
    after = ids.at(-1) ?? after;
    return ids.length === rowsAtOnce ? 'more' : 'done';
  });
}
