import { setTimeout as pause } from 'node:timers/promises';
import type postgres from 'postgres';
import { sql } from '#db/client.ts';
import { log } from '#server/log.ts';
import { newRequestId } from '#server/request-id.ts';
import { olderThanKept } from '#server/retention.ts';

type Transaction = postgres.TransactionSql<{ bigint: number }>;

const lockClass = 7_236_023;
const notificationsAtOnce = 500;
const receiptsAtOnce = 20_000;
const refusalsAtOnce = 5000;
const betweenMs = 50;

/**
 * Deletes what companies no longer keep: notifications with what people did with them and what reminds of them, and refused
 * calls. In small steps with a breath between, so that no call waits for it. The audit log says how many notifications went.
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
  try {
    for (let deleted = -1; deleted !== 0; count += deleted) {
      if (deleted > 0) await pause(betweenMs);
      deleted = await sql().begin((transaction) => forgetSome(transaction, companyId));
    }
  } finally {
    if (count > 0) await noteForgetting(companyId, count);
  }
  if (count > 0) await forgetReadMarks(companyId);
}

/**
 * One step: the oldest notifications, as many as have no more than some thousand receipts (their reach says how many at most).
 * Numbers grow with time, so only the lowest are looked at.
 */
async function forgetSome(transaction: Transaction, companyId: number): Promise<number> {
  const [lock] = await transaction<{ mine: boolean }[]>`
    select pg_try_advisory_xact_lock(${lockClass}, ${companyId}) as mine`;
  if (!lock?.mine) return 0;
  const old = await transaction<{ no: number }[]>`
    select n.no from (
      select o.no, o.created_at, row_number() over (order by o.no) as place, sum(o.reach) over (order by o.no) as rows
      from (
        select no, created_at, reach from notifications where company_id = ${companyId} order by no limit ${notificationsAtOnce}
      ) o
    ) n join companies c on c.id = ${companyId}
    where n.created_at < ${olderThanKept('keep_notifications_days')} and (n.place = 1 or n.rows <= ${receiptsAtOnce})`;
  if (old.length === 0) return 0;
  const numbers = old.map(({ no }) => no);
  // Locked first: nobody can leave a receipt on them any more.
  const going = await transaction<{ no: number }[]>`
    select no from notifications where company_id = ${companyId} and (no = any(${numbers}::bigint[]) or reminds_no = any(${numbers}::bigint[]))
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
  await sql()`delete from read_marks where company_id = ${companyId} and up_to < coalesce(
    (select min(no) from notifications where company_id = ${companyId}), 0)`;
}

async function forgetRefusals(companyId: number): Promise<void> {
  for (;;) {
    const { count } = await sql()`
      delete from refusals where company_id = ${companyId} and id in (
        select r.id from (
          select id, at from refusals where company_id = ${companyId} order by id limit ${refusalsAtOnce}
        ) r join companies c on c.id = ${companyId}
        where r.at < ${olderThanKept('keep_refusals_days')})`;
    if (count < refusalsAtOnce) return;
    await pause(betweenMs);
  }
}
