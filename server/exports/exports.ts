import { db, deleteRows, matches, requireRow } from '#db/client.ts';
import { withOwner } from '#db/company-row.ts';
import { and, desc, eq, inArray, isNotNull, ne, not, type SQLWrapper, sql } from '#db/drizzle.cjs';
import { exportParts, exports } from '#db/schema/tables.ts';
import { log } from '#platform/log/log.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type ExportJob, workOnExport } from '#server/exports/export-worker.ts';
import type { Owner } from '#server/principals.ts';

/** A copy of all data of one company. `bytes`: the size of a finished one. `stalled`: its worker died. */
export type Export = Awaited<ReturnType<typeof selectExports>>[number];

/** The text of an export's README, and the language that decides how its CSV is written. */
export type ExportWords = Pick<ExportJob, 'readme' | 'language'>;

/** How long a finished export can be downloaded, in hours. */
export const keptHours = 24;

// A worker renews its heartbeat every 5 s.
const stalledAfterSeconds = 15;
const idPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

// When an export ended, or began while it runs.
const endedAt = sql`coalesce(${exports.finishedAt}, ${exports.createdAt})`;
const isKept = (since: SQLWrapper) => sql`${since} > now() - ${keptHours} * interval '1 hour'`;

/** Starts an export, which goes on after this returns and replaces earlier ones, or returns the running one. */
export async function createExport(owner: Owner, words: ExportWords): Promise<string> {
  const { companyId, accountId } = owner;
  const { id, isNew } = await withOwner(owner, async (tx) => {
    const isRunning = and(matches(exports, { companyId, finishedAt: null, failedAt: null }), isKept(exports.createdAt));
    const [running] = await db(tx).select({ id: exports.id }).from(exports).where(isRunning);
    if (running) return { id: running.id, isNew: false };
    const created = { companyId, createdBy: accountId };
    const { id } = await requireRow(db(tx).insert(exports).values(created).returning({ id: exports.id }));
    await recordAudit(tx, owner, 'export.create', { exportId: id });
    return { id, isNew: true };
  });
  if (isNew) void replaceExports({ companyId, id, ...words });
  return id;
}

// The exports of the owner's company that run or can be downloaded, newest first; or only the one with this id.
async function selectExports({ companyId }: Owner, id: string | null = null) {
  const { createdAt, rowsDone, rowsTotal, finishedAt, failedAt, heartbeatAt } = exports;
  const bytes = db()
    .select({ bytes: sql`coalesce(sum(octet_length(${exportParts.bytes})), 0)::bigint` })
    .from(exportParts)
    .where(and(matches(exportParts, { companyId, exportId: exports.id }), isNotNull(finishedAt)));
  const stalled = sql<boolean>`${finishedAt} is null and ${failedAt} is null
    and ${heartbeatAt} < now() - ${stalledAfterSeconds} * interval '1 second'`;
  const progress = { createdAt, rowsDone, rowsTotal, finishedAt, failedAt, stalled };
  return db()
    .select({ id: exports.id, ...progress, bytes: sql<number>`${bytes}` })
    .from(exports)
    .where(and(eq(exports.companyId, companyId), isKept(endedAt), id === null ? undefined : eq(exports.id, id)))
    .orderBy(desc(createdAt));
}

/** The exports that run or can be downloaded, newest first. Restarts a stalled one, whose process ended meanwhile. */
export async function listExports(owner: Owner, words: ExportWords): Promise<Export[]> {
  const rows = await selectExports(owner);
  for (const { id, stalled } of rows) if (stalled) void workOnExport({ companyId: owner.companyId, id, ...words });
  return rows;
}

/** The bytes of a finished export, piece by piece, and their number; null when there is none. */
export async function openExport(owner: Owner, id: string) {
  const [row] = idPattern.test(id) ? await selectExports(owner, id) : [];
  if (!row?.finishedAt) return null;
  return { bytes: row.bytes, createdAt: row.createdAt, pieces: readPieces(owner, id) };
}

async function* readPieces({ companyId }: Owner, id: string): AsyncGenerator<Buffer> {
  for (let place = 0; ; place++) {
    const isPart = matches(exportParts, { companyId, exportId: id, place });
    const [part] = await db().select({ bytes: exportParts.bytes }).from(exportParts).where(isPart);
    if (!part) return;
    yield part.bytes;
  }
}

// An export may be as large as the company's data, so a finished one replaces the others.
async function replaceExports(job: ExportJob): Promise<void> {
  if ((await workOnExport(job)) !== 'finished') return;
  const { companyId, id: keptId } = job;
  try {
    const isOther = and(eq(exports.companyId, companyId), ne(exports.id, keptId));
    const others = await db().select({ id: exports.id }).from(exports).where(isOther);
    for (const { id } of others) await deleteExport(companyId, id);
  } catch (error) {
    log().warn({ err: error }, 'replaced exports could not be deleted; the hourly job deletes them after a day');
  }
}

const partsPerBatch = 20;

/** Deletes all exports that are older than `keptHours`, 20 parts of a megabyte at a time. */
export async function deleteOldExports(): Promise<void> {
  const areOld = not(isKept(endedAt));
  const old = await db().select({ companyId: exports.companyId, id: exports.id }).from(exports).where(areOld);
  for (const { companyId, id } of old) await deleteExport(companyId, id);
}

async function deleteExport(companyId: number, id: string): Promise<void> {
  const isPart = matches(exportParts, { companyId, exportId: id });
  const places = db().select({ place: exportParts.place }).from(exportParts).where(isPart).limit(partsPerBatch);
  for (let deleted = partsPerBatch; deleted === partsPerBatch; ) {
    const batch = and(isPart, inArray(exportParts.place, places));
    deleted = (await db().delete(exportParts).where(batch).returning({ place: exportParts.place })).length;
  }
  await deleteRows(db(), exports, { companyId, id });
}
