import { advisoryLocks } from '#db/advisory-locks.ts';
import { requireRow, sql } from '#db/client.ts';
import { asOwner } from '#db/person-transaction.ts';
import type { Rows } from '#db/schema/rows.ts';
import { log } from '#platform/log/log.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type ExportJob, workOnExport } from '#server/exports/export-worker.ts';
import type { Owner } from '#server/principals.ts';

/** A copy of all data of one company. `bytes`: the size of a finished one. `stalled`: its worker died. */
export type Export = Pick<
  Rows['exports'],
  'id' | 'createdAt' | 'rowsDone' | 'rowsTotal' | 'finishedAt' | 'failedAt'
> & { bytes: number; stalled: boolean };

/** The text of an export's README, and the language that decides how its CSV is written. */
export type ExportWords = Pick<ExportJob, 'readme' | 'language'>;

/** How long a finished export can be downloaded, in hours. */
export const keptHours = 24;

// A worker renews its heartbeat every 5 s.
const stalledAfterSeconds = 15;
const idPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Starts an export, which continues after this returns. Returns its id, or the id of the export
 * that is already running. A finished export replaces the earlier ones.
 */
export async function createExport(owner: Owner, words: ExportWords): Promise<string> {
  const { companyId, accountId } = owner;
  const { id, isNew } = await asOwner(owner, async (tx) => {
    await tx`select pg_advisory_xact_lock(${advisoryLocks.exportRequest}, ${companyId})`;
    const [running] = await tx<Pick<Rows['exports'], 'id'>[]>`
      select id from exports where company_id = ${companyId} and finished_at is null and failed_at is null
        and created_at > now() - ${keptHours} * interval '1 hour'`;
    if (running) return { id: running.id, isNew: false };
    const row = await requireRow(tx<Pick<Rows['exports'], 'id'>[]>`
      insert into exports (company_id, created_by) values (${companyId}, ${accountId}) returning id`);
    await recordAudit(tx, owner, 'export.create', { exportId: row.id });
    return { id: row.id, isNew: true };
  });
  if (isNew) void replaceExports({ companyId, id, ...words });
  return id;
}

/** The exports of the owner's company that run or can be downloaded, newest first; or only the one with this id. */
export async function listExports({ companyId }: Owner, id: string | null = null): Promise<Export[]> {
  return sql()<Export[]>`
    select id, created_at as "createdAt", rows_done as "rowsDone", rows_total as "rowsTotal", finished_at as "finishedAt",
      failed_at as "failedAt", (
        select coalesce(sum(octet_length(bytes)), 0)::bigint from export_parts p
        where p.company_id = e.company_id and p.export_id = e.id and e.finished_at is not null) as bytes,
      finished_at is null and failed_at is null and heartbeat_at < now() - ${stalledAfterSeconds} * interval '1 second' as stalled
    from exports e
    where company_id = ${companyId} and coalesce(finished_at, created_at) > now() - ${keptHours} * interval '1 hour'
      and (${id}::uuid is null or id = ${id}::uuid)
    order by created_at desc`;
}

/**
 * Finds an export of the owner's company; null when it does not exist, was deleted or belongs to
 * another company. Restarts a stalled export, whose process ended before it was finished.
 */
export async function findExport(owner: Owner, id: string, words: ExportWords): Promise<Export | null> {
  const [row] = idPattern.test(id) ? await listExports(owner, id) : [];
  if (row?.stalled) void workOnExport({ companyId: owner.companyId, id, ...words });
  return row ?? null;
}

/** The bytes of a finished export, piece by piece, and their number; null when there is none. */
export async function openExport(
  owner: Owner,
  id: string,
): Promise<{ bytes: number; createdAt: Date; pieces: AsyncGenerator<Buffer> } | null> {
  const [row] = idPattern.test(id) ? await listExports(owner, id) : [];
  if (!row?.finishedAt) return null;
  return { bytes: row.bytes, createdAt: row.createdAt, pieces: readPieces(owner, id) };
}

async function* readPieces({ companyId }: Owner, id: string): AsyncGenerator<Buffer> {
  for (let place = 0; ; place++) {
    const [part] = await sql()<Pick<Rows['exportParts'], 'bytes'>[]>`
      select bytes from export_parts where company_id = ${companyId} and export_id = ${id} and place = ${place}`;
    if (!part) return;
    yield part.bytes;
  }
}

// An export may be as large as the company's data, so a finished one replaces the others.
async function replaceExports(job: ExportJob): Promise<void> {
  if ((await workOnExport(job)) !== 'finished') return;
  const { companyId, id: keptId } = job;
  try {
    const others = await sql()<Pick<Rows['exports'], 'id'>[]>`
      select id from exports where company_id = ${companyId} and id <> ${keptId}`;
    for (const { id } of others) await deleteExport(companyId, id);
  } catch (error) {
    log().warn({ err: error }, 'replaced exports could not be deleted; the hourly job deletes them after a day');
  }
}

const partsPerBatch = 20;

/** Deletes all exports that are older than `keptHours`, 20 parts of a megabyte at a time. */
export async function deleteOldExports(): Promise<void> {
  const old = await sql()<Pick<Rows['exports'], 'companyId' | 'id'>[]>`
    select company_id as "companyId", id from exports
    where coalesce(finished_at, created_at) < now() - ${keptHours} * interval '1 hour'`;
  for (const { companyId, id } of old) await deleteExport(companyId, id);
}

async function deleteExport(companyId: number, id: string): Promise<void> {
  for (let deleted = partsPerBatch; deleted === partsPerBatch; ) {
    const { count } = await sql()`
      delete from export_parts where company_id = ${companyId} and export_id = ${id} and place in (
        select place from export_parts where company_id = ${companyId} and export_id = ${id} limit ${partsPerBatch})`;
    deleted = count;
  }
  await sql()`delete from exports where company_id = ${companyId} and id = ${id}`;
}
