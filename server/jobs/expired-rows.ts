import { setTimeout as wait } from 'node:timers/promises';
import { db, deleteRows, inTransaction, matches, requireRow, type Transaction, updateRows } from '#db/client.ts';
import { and, desc, eq, getTableName, gt, lt, lte, min, or, type PgTable, type SQL, sql } from '#db/drizzle.cjs';
import {
  companies,
  employees,
  notificationPeople,
  notifications,
  readMarks,
  receipts,
  refusals,
} from '#db/schema/tables.ts';
import { warnOf } from '#platform/log/log.ts';
import { findSettings, recordAudit } from '#server/audit/record.ts';
import { retentionExpiry } from '#server/companies/companies.ts';
import { deletePictures } from '#server/sends/pictures/pictures.ts';

const pagesPerBatch = 100;

/** Runs a batch of background work, then waits as long as it took, at least 20 ms: it uses half of one connection. */
export async function thenPause<Result>(batch: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await batch();
  await wait(Math.max(20, performance.now() - startedAt));
  return result;
}

/** Deletes the rows that meet a condition, 100 pages of 8 kB in a batch, whatever the size of the table. */
export async function deleteByPages(table: PgTable, condition: SQL): Promise<void> {
  const size = sql`pg_relation_size(${getTableName(table)}::text::regclass)`;
  const counted = sql`select (${size} / current_setting('block_size')::int)::int as pages`;
  const { pages } = await requireRow(db().execute<{ pages: number }>(counted));
  for (let from = 0; from === 0 || from < pages; from += pagesPerBatch) {
    const [first, next] = [`(${from},0)`, `(${from + pagesPerBatch},0)`];
    const isInBatch = sql`${table}.ctid >= ${first}::tid and ${table}.ctid < ${next}::tid`;
    await thenPause(async () => db().delete(table).where(and(isInBatch, condition)));
  }
}

const rowsPerBatch = 2000;
const placesPerRead = 20_000;

/** Deletes notifications, with receipts and reminders, and rejected requests beyond the retention of their company. */
export async function deleteExpiredRows(): Promise<void> {
  for (let after = 0; ; ) {
    const page = await db()
      .select({ id: companies.id, keepDays: companies.keepNotificationsDays })
      .from(companies)
      .where(gt(companies.id, after))
      .orderBy(companies.id)
      .limit(500);
    if (page.length === 0) return;
    for (const company of page)
      await deleteExpiredRowsOf(company).catch(warnOf('old rows of a company could not be deleted'));
    after = page.at(-1)?.id ?? after;
  }
}

async function deleteExpiredRowsOf({ id, keepDays }: { id: number; keepDays: number | null }): Promise<void> {
  if (keepDays !== null) await deleteNotifications(id);
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
      // Withdraws them first: without its receipt a read notification would count as unread.
      const withdrawn = { withdrawnAt: sql`now()` };
      await updateRows(db(), notifications, { companyId, withdrawnAt: null }, withdrawn, isOneOrReminder(numbers));
      await deleteChildren(companyId, numbers);
      count += await thenPause(() => inTransaction((tx) => deleteWithReminders(tx, companyId, numbers)));
    }
  } finally {
    // When a batch fails, the batches before it stay deleted.
    if (count > 0) await recordDeletion(companyId, count);
  }
  if (count > 0) await deleteReadMarks(companyId);
}

// Numbers grow with time, so the oldest notifications have the lowest numbers.
async function findTooOld(companyId: number, after: number): Promise<number[]> {
  const { no, createdAt } = notifications;
  const areLater = and(eq(notifications.companyId, companyId), gt(no, after));
  const later = db().select({ no, createdAt }).from(notifications).where(areLater).orderBy(no);
  const oldest = later.limit(500).as('oldest');
  const old = await db()
    .select({ no: oldest.no })
    .from(oldest)
    .innerJoin(companies, eq(companies.id, companyId))
    .where(lt(oldest.createdAt, retentionExpiry(companies.keepNotificationsDays)))
    .orderBy(oldest.no);
  return old.map(({ no }) => no);
}

// A notification may have a row of each kind for each employee, so they are deleted in batches.
async function deleteChildren(companyId: number, numbers: number[]): Promise<void> {
  const areReminders = matches(notifications, { companyId, remindsNo: numbers });
  const reminders = await db().select({ no: notifications.no }).from(notifications).where(areReminders);
  const all = [...numbers, ...reminders.map(({ no }) => no)];
  for (const table of [receipts, notificationPeople])
    await deleteByPlaces(table, matches(table, { companyId, no: all }));
}

// Reads the places of many rows at once: each read passes over what was just deleted.
async function deleteByPlaces(table: PgTable, condition: SQL | undefined): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const query = db().select({ place: sql<string>`ctid::text` }).from(table).where(condition);
    const places = (await query.limit(placesPerRead)).map(({ place }) => place);
    hasMore = places.length === placesPerRead;
    while (places.length > 0) {
      const isInBatch = sql`ctid = any(${sql.param(places.splice(0, rowsPerBatch))}::tid[])`;
      // The other conditions stay: another row may have taken the place meanwhile.
      await thenPause(async () => db().delete(table).where(and(condition, isInBatch)));
    }
  }
}

async function deleteWithReminders(tx: Transaction, companyId: number, numbers: number[]): Promise<number> {
  // After this lock no new receipt can refer to them.
  const areThese = and(eq(notifications.companyId, companyId), isOneOrReminder(numbers));
  const locked = await db(tx).select({ no: notifications.no }).from(notifications).where(areThese).for('update');
  const all = locked.map(({ no }) => no);
  await deletePictures(tx, companyId, all);
  for (const table of [receipts, notificationPeople, notifications])
    await deleteRows(db(tx), table, { companyId, no: all });
  return all.length;
}

const isOneOrReminder = (numbers: number[]) =>
  or(matches(notifications, { no: numbers }), matches(notifications, { remindsNo: numbers }));

function recordDeletion(companyId: number, count: number): Promise<void> {
  return inTransaction(async (tx) => {
    const { keepNotificationsDays: days } = await findSettings({ companyId }, ['keepNotificationsDays'], tx);
    await recordAudit(tx, { companyId, kind: 'system' }, 'company.forget', { days, count });
  });
}

// A read mark below the oldest remaining notification applies to no notification.
async function deleteReadMarks(companyId: number): Promise<void> {
  const [no, ofCompany] = [min(notifications.no), eq(notifications.companyId, companyId)];
  const oldest = db().select({ no }).from(notifications).where(ofCompany);
  for (let after: number | undefined = 0; after !== undefined; ) {
    const areLater = and(eq(employees.companyId, companyId), gt(employees.id, after));
    const query = db().select({ id: employees.id }).from(employees).where(areLater).orderBy(employees.id);
    const ids = (await query.limit(rowsPerBatch)).map(({ id }) => id);
    await thenPause(() => deleteRows(db(), readMarks, { companyId, employeeId: ids }, lt(readMarks.upTo, oldest)));
    after = ids.at(-1);
  }
}

function deleteRejectedRequests(companyId: number): Promise<void> {
  const expiry = retentionExpiry(companies.keepRefusalsDays);
  const oldest = db().select({ expiry }).from(companies).where(eq(companies.id, companyId));
  return deleteByPlaces(refusals, and(eq(refusals.companyId, companyId), lt(refusals.at, sql`${oldest}`)));
}

/** How many rejected requests of a company are stored at most: those without a key, and all. */
const maxStored = { withoutKey: 50_000, all: 500_000 };

/** Deletes rejected requests beyond the limits, the oldest first. Strangers make those without a key. */
export async function deleteSurplusRejectedRequests(companyId: number, limits = maxStored): Promise<void> {
  await deleteOldest(companyId, limits.withoutKey, matches(refusals, { keyId: null }));
  await deleteOldest(companyId, limits.all);
}

async function deleteOldest(companyId: number, limit: number, condition?: SQL): Promise<void> {
  const { id } = refusals;
  const areCounted = and(eq(refusals.companyId, companyId), condition);
  const newestFirst = db().select({ id }).from(refusals).where(areCounted).orderBy(desc(id));
  const [surplus] = await newestFirst.offset(limit).limit(1);
  if (surplus) await deleteByPlaces(refusals, and(areCounted, lte(id, surplus.id)));
}
