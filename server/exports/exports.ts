import { and, eq, sql as expression, gt, isNull } from 'drizzle-orm';
import { db, sql } from '#db/client.ts';
import { exports as copies } from '#db/schema.ts';
import { recordAudit } from '#server/audit/record.ts';
import { type ExportJob, workOnExport } from '#server/exports/export-worker.ts';
import { log } from '#server/log.ts';
import type { Owner } from '#server/principals.ts';

/** A copy of everything of the company; `bytes` is its size once it is finished, `stalled` says that nobody works on it. */
export type Export = {
  id: string;
  createdAt: Date;
  rowsDone: number;
  rowsTotal: number;
  finishedAt: Date | null;
  failedAt: Date | null;
  bytes: number;
  stalled: boolean;
};

/** The words a copy is given: its README, and the language that decides how its CSV is written. */
export type ExportWords = Pick<ExportJob, 'readme' | 'language'>;

/** How long a finished copy can be fetched. */
export const keptHours = 24;

const deadAfterSeconds = 15;
const idPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * Begins a copy, which goes on after this returns; while one is being made, that one is answered. Once finished it replaces the
 * ones before it. Returns its id.
 */
export async function createExport(owner: Owner, words: ExportWords): Promise<string> {
  const { companyId, accountId } = owner;
  const made = await db().transaction(async (transaction) => {
    await transaction.execute(expression`select pg_advisory_xact_lock(7236025, ${companyId})`);
    const since = expression`now() - ${keptHours} * interval '1 hour'`;
    const unfinished = and(isNull(copies.finishedAt), isNull(copies.failedAt), gt(copies.createdAt, since));
    const [running] = await transaction
      .select({ id: copies.id })
      .from(copies)
      .where(and(eq(copies.companyId, companyId), unfinished));
    if (running) return { id: running.id, isNew: false };
    const [row] = await transaction
      .insert(copies)
      .values({ companyId, createdBy: accountId })
      .returning({ id: copies.id });
    if (!row) throw new Error('the copy was not begun');
    await recordAudit(transaction, owner, 'export.create', { exportId: row.id });
    return { id: row.id, isNew: true };
  });
  if (made.isNew) void replaceCopies({ companyId, id: made.id, ...words });
  return made.id;
}

async function selectExports({ companyId }: Owner, id: string | null): Promise<Export[]> {
  return sql()<Export[]>`
    select id, created_at as "createdAt", rows_done as "rowsDone", rows_total as "rowsTotal", finished_at as "finishedAt",
      failed_at as "failedAt", (
        select coalesce(sum(octet_length(bytes)), 0)::bigint from export_parts p
        where p.company_id = e.company_id and p.export_id = e.id and e.finished_at is not null) as bytes,
      finished_at is null and failed_at is null and heartbeat_at < now() - ${deadAfterSeconds} * interval '1 second' as stalled
    from exports e
    where company_id = ${companyId} and coalesce(finished_at, created_at) > now() - ${keptHours} * interval '1 hour'
      and (${id}::uuid is null or id = ${id}::uuid)
    order by created_at desc`;
}

/** The copies of the owner's company that can still be fetched, or are being made, the newest first. */
export const listExports = (owner: Owner): Promise<Export[]> => selectExports(owner, null);

/**
 * One copy of the owner's company, or null: of another company, forgotten, or never made. One that nobody works on any more (its
 * process was ended) is taken up again by whoever looks.
 */
export async function findExport(owner: Owner, id: string, words: ExportWords): Promise<Export | null> {
  const [found] = idPattern.test(id) ? await selectExports(owner, id) : [];
  if (found?.stalled) void workOnExport({ companyId: owner.companyId, id, ...words });
  return found ?? null;
}

/** The bytes of a finished copy, piece by piece, and how many they are; null when there is none to fetch. */
export async function openExport(
  owner: Owner,
  id: string,
): Promise<{ bytes: number; createdAt: Date; pieces: AsyncGenerator<Buffer> } | null> {
  const [found] = idPattern.test(id) ? await selectExports(owner, id) : [];
  if (!found?.finishedAt) return null;
  return { bytes: found.bytes, createdAt: found.createdAt, pieces: readPieces(owner, id) };
}

async function* readPieces({ companyId }: Owner, id: string): AsyncGenerator<Buffer> {
  for (let place = 0; ; place++) {
    const [part] = await sql()<{ bytes: Buffer }[]>`
      select bytes from export_parts where company_id = ${companyId} and export_id = ${id} and place = ${place}`;
    if (!part) return;
    yield part.bytes;
  }
}

// Each copy may be as large as all a company has. The one before goes when the new one can be fetched, not sooner.
async function replaceCopies(job: ExportJob): Promise<void> {
  if ((await workOnExport(job)) !== 'finished') return;
  const { companyId, id: kept } = job;
  try {
    const others = await sql()<{ id: string }[]>`
      select id from exports where company_id = ${companyId} and id <> ${kept}`;
    for (const { id } of others) await forgetExport(companyId, id);
  } catch (error) {
    log().warn({ err: error }, 'copies that were replaced are kept until they are a day old');
  }
}

const partsAtOnce = 20;

/** Forgets copies that can no longer be fetched, in small steps: a part is a megabyte. */
export async function forgetOldExports(): Promise<void> {
  const old = await sql()<{ companyId: number; id: string }[]>`
    select company_id as "companyId", id from exports
    where coalesce(finished_at, created_at) < now() - ${keptHours} * interval '1 hour'`;
  for (const { companyId, id } of old) await forgetExport(companyId, id);
}

async function forgetExport(companyId: number, id: string): Promise<void> {
  for (let deleted = partsAtOnce; deleted === partsAtOnce; )
    deleted = (
      await sql()`delete from export_parts where company_id = ${companyId} and export_id = ${id} and place in (
        select place from export_parts where company_id = ${companyId} and export_id = ${id} limit ${partsAtOnce})`
    ).count;
  await sql()`delete from exports where company_id = ${companyId} and id = ${id}`;
}
