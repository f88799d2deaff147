import { setTimeout as wait } from 'node:timers/promises';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { type Fragment, inTransaction, requireRow, sql, type Transaction } from '#db/client.ts';
import type { Rows } from '#db/schema/rows.ts';
import { log } from '#platform/log/log.ts';
import { insertAudit } from '#server/audit/record.ts';
import { retentionExpiry } from '#server/companies/retention.ts';
import { newRequestId } from '#server/request-id.ts';
import { deletePictures } from '#server/sends/pictures/pictures.ts';

const minPauseMs = 20;
const pagesPerBatch = 100;

/**
 * Runs one batch of background work and then waits as long as it took, at least 20 ms, so that such
 * work uses at most half the time of one connection.
 */
export async function thenPause<Result>(batch: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await batch();
  await wait(Math.max(minPauseMs, performance.now() - startedAt));
  return result;
}

async function inBatches(batch: () => Promise<'more' | 'done'>): Promise<void> {
  while ((await thenPause(batch)) === 'more');
}

/**
 * Deletes the rows of a table that meet a condition; the condition calls the table `old`. Reads the
 * table once from start to end, 100 pages of 8 kB in a batch. So the cost of a batch does not
 * depend on the table's size, and inserts maintain no index for it.
 */
export async function deleteByPages(table: string, condition: () => Fragment): Promise<void> {
  const { pages } = await requireRow(sql()<{ pages: number }[]>`
    select (pg_relation_size(${table}::text::regclass) / current_setting('block_size')::int)::int as pages`);
  let from = 0;
  await inBatches(async () => {
    const [first, next] = [`(${from},0)`, `(${from + pagesPerBatch},0)`];
    await sql()`
      delete from ${sql()(table)} old where old.ctid >= ${first}::tid and old.ctid < ${next}::tid and ${condition()}`;
    from += pagesPerBatch;
    return from < pages ? 'more' : 'done';
  });
}

const companiesPerRead = 500;
const notificationsPerBatch = 500;
const rowsPerBatch = 2000;
const placesPerRead = 20_000;

/**
 * Deletes rows older than the retention times of their company: notifications with their receipts
 * and reminders, and rejected requests, also those beyond their limits. Works in small batches with
 * pauses, so that no call waits for it. The audit log gets the number of deleted notifications.
 */
export async function deleteExpiredRows(): Promise<void> {
  for (let after = 0; ; ) {
    const companies = await sql()<{ id: Rows['companies']['id']; keepsAll: boolean }[]>`
      select id, keep_notifications_days is null as "keepsAll" from companies
      where id > ${after} order by id limit ${companiesPerRead}`;
    if (companies.length === 0) return;
    for (const company of companies)
      await deleteExpiredRowsOf(company).catch((error: unknown) =>
        log().warn({ err: error }, 'old rows of a company could not be deleted'),
      );
    after = companies.at(-1)?.id ?? after;
  }
}

async function deleteExpiredRowsOf({ id, keepsAll }: { id: number; keepsAll: boolean }): Promise<void> {
  if (!keepsAll) await deleteNotifications(id);
  await deleteRejectedRequests(id);
  await deleteSurplusRejectedRequests(id);
}

async function deleteNotifications(companyId: number): Promise<void> {
  let count = 0;
  let after = 0;
  try {
    for (;;) {
      const numbers = await findTooOld(companyId, after);
      after = numbers.at(-1) ?? after;
      if (numbers.length === 0) break;
      await hide(companyId, numbers);
      await deleteChildren(companyId, numbers);
      const deleted = await deleteBatch(companyId, numbers);
      if (deleted === 'locked') break;
      count += deleted;
    }
  } finally {
    // When a batch fails, the batches before it stay deleted.
    if (count > 0) await recordDeletion(companyId, count);
  }
  if (count > 0) await deleteReadMarks(companyId);
}

// Numbers grow with time, so the oldest notifications have the lowest numbers.
async function findTooOld(companyId: number, after: number): Promise<number[]> {
  const old = await sql()<Pick<Rows['notifications'], 'no'>[]>`
    select n.no from (
      select no, created_at from notifications where company_id = ${companyId} and no > ${after}
      order by no limit ${notificationsPerBatch}
    ) n join companies c on c.id = ${companyId}
    where n.created_at < ${retentionExpiry('keep_notifications_days')} order by n.no`;
  return old.map(({ no }) => no);
}

// Withdraws them first: without its receipt a read notification would count as unread.
async function hide(companyId: number, numbers: number[]): Promise<void> {
  await sql()`update notifications set withdrawn_at = now()
    where company_id = ${companyId} and withdrawn_at is null
      and (no = any(${numbers}::bigint[]) or reminds_no = any(${numbers}::bigint[]))`;
}

// A notification may have a row of each kind for each employee, so they are deleted in batches.
async function deleteChildren(companyId: number, numbers: number[]): Promise<void> {
  const reminders = await sql()<Pick<Rows['notifications'], 'no'>[]>`
    select no from notifications where company_id = ${companyId} and reminds_no = any(${numbers}::bigint[])`;
  const all = [...numbers, ...reminders.map(({ no }) => no)];
  const condition = sql()`company_id = ${companyId} and no = any(${all}::bigint[])`;
  await deleteByPlaces(sql()`from receipts where ${condition}`);
  await deleteByPlaces(sql()`from notification_people where ${condition}`);
}

async function deleteByPlaces(fromWhere: Fragment): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const places = await sql()<{ place: string }[]>`select ctid::text as place ${fromWhere} limit ${placesPerRead}`;
    hasMore = places.length === placesPerRead;
    while (places.length > 0) {
      const batch = places.splice(0, rowsPerBatch).map(({ place }) => place);
      // The other conditions stay: another row may have taken the place meanwhile.
      await thenPause(() => sql()`delete ${fromWhere} and ctid = any(${batch}::tid[])`);
    }
  }
}

// `'locked'`: another process deletes rows of this company.
async function deleteBatch(companyId: number, numbers: number[]): Promise<number | 'locked'> {
  return thenPause(() =>
    inTransaction(async (tx) => {
      const [lock] = await tx<{ mine: boolean }[]>`
        select pg_try_advisory_xact_lock(${advisoryLocks.expiredRows}, ${companyId}) as mine`;
      return lock?.mine ? deleteWithReminders(tx, companyId, numbers) : 'locked';
    }),
  );
}

async function deleteWithReminders(tx: Transaction, companyId: number, numbers: number[]): Promise<number> {
  // After this lock no new receipt can refer to them.
  const locked = await tx<Pick<Rows['notifications'], 'no'>[]>`
    select no from notifications
    where company_id = ${companyId} and (no = any(${numbers}::bigint[]) or reminds_no = any(${numbers}::bigint[]))
    for update`;
  const all = locked.map(({ no }) => no);
  await deletePictures(tx, companyId, all);
  await tx`delete from receipts where company_id = ${companyId} and no = any(${all}::bigint[])`;
  await tx`delete from notification_people where company_id = ${companyId} and no = any(${all}::bigint[])`;
  await tx`delete from notifications where company_id = ${companyId} and no = any(${all}::bigint[])`;
  return all.length;
}

async function recordDeletion(companyId: number, count: number): Promise<void> {
  const entry = sql()`
    select id, 'system', null::int, '', 'company.forget',
      jsonb_build_object('days', keep_notifications_days, 'count', ${count}::int), ${newRequestId()}, null::int, null::int
    from companies where id = ${companyId}`;
  await sql()`${insertAudit(entry)}`;
}

// A read mark below the oldest remaining notification applies to no notification.
async function deleteReadMarks(companyId: number): Promise<void> {
  await deleteInOrder(
    (after) => sql()`
      select id from employees where company_id = ${companyId} and id > ${after} order by id limit ${rowsPerBatch}`,
    (ids) => sql()`
      delete from read_marks
      where company_id = ${companyId} and employee_id = any(${ids}::int[])
        and up_to < (select min(no) from notifications where company_id = ${companyId})`,
  );
}

// Deletes rows of a company by id, the oldest first, in batches. `selectAfter` reads up to a batch.
async function deleteInOrder(
  selectAfter: (after: number) => Fragment,
  remove: (ids: number[]) => Fragment,
): Promise<void> {
  let after = 0;
  await inBatches(async () => {
    const rows = await sql()<{ id: number }[]>`${selectAfter(after)}`;
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await remove(ids);
    after = ids.at(-1) ?? after;
    return ids.length === rowsPerBatch ? 'more' : 'done';
  });
}

const deleteRejectedRequests = (companyId: number) =>
  deleteInOrder(
    (after) => sql()`
      select r.id from (
        select id, at from refusals where company_id = ${companyId} and id > ${after} order by id limit ${rowsPerBatch}
      ) r join companies c on c.id = ${companyId}
      where r.at < ${retentionExpiry('keep_refusals_days')} order by r.id`,
    (ids) => deleteRejected(companyId, ids),
  );

const deleteRejected = (companyId: number, ids: number[]) => sql()`
  delete from refusals where company_id = ${companyId} and id = any(${ids}::bigint[])`;

/** How many rejected requests of a company are stored at most: those without a key, and all. */
const maxStored = { withoutKey: 50_000, all: 500_000 };

/**
 * Deletes rejected requests of a company beyond the limits, the oldest first. Those without a key
 * have a lower limit, because strangers make them.
 */
export async function deleteSurplusRejectedRequests(companyId: number, limits = maxStored): Promise<void> {
  await deleteOldest(companyId, limits.withoutKey, sql()`and key_id is null`);
  await deleteOldest(companyId, limits.all, sql()``);
}

async function deleteOldest(companyId: number, limit: number, condition: Fragment): Promise<void> {
  const [surplus] = await sql()<Pick<Rows['refusals'], 'id'>[]>`
    select id from refusals where company_id = ${companyId} ${condition} order by id desc offset ${limit} limit 1`;
  if (!surplus) return;
  await deleteInOrder(
    (after) => sql()`
      select id from refusals where company_id = ${companyId} and id > ${after} and id <= ${surplus.id} ${condition}
      order by id limit ${rowsPerBatch}`,
    (ids) => deleteRejected(companyId, ids),
  );
}
