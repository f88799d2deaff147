import pLimit from 'p-limit';
import type postgres from 'postgres';
import { sql } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { databaseUrl, isWorker } from '#server/env.ts';
import { exportTables } from '#server/exports/export-tables.ts';
import { writeZip, type ZipTable } from '#server/exports/export-zip.ts';
import { log } from '#server/log.ts';

/** A copy to be made: whose, and the words of its README. */
export type ExportJob = { companyId: number; id: string; readme: string; language: 'id' | 'en' };

const lockClass = 7_236_024;
const rowsAtOnce = 1000;
const noteEveryMs = 1000;
const beatEveryMs = 5000;

// Each holds a connection beside the pool's; where several processes serve, each of them makes one at a time.
const inTurn = pLimit(isWorker() ? 1 : 2);

/**
 * Makes a copy of everything of a company, from the beginning. Whoever holds the company's lock works; it is held by the transaction
 * that reads, so that the death of a process lets go of it, and a pooler does too. Never rejects: what went wrong is in the log and, unless the database
 * was gone, in the row of the copy. Two are made at a time, the others wait for their turn; where several processes serve, one in each.
 */
export async function workOnExport(job: ExportJob): Promise<'finished' | 'somebody-else-works' | 'failed'> {
  const waiting = setInterval(() => beat(job).catch(() => {}), beatEveryMs).unref();
  return inTurn(() => {
    clearInterval(waiting);
    return makeCopy(job);
  });
}

async function makeCopy(job: ExportJob): Promise<'finished' | 'somebody-else-works' | 'failed'> {
  const reader = connect(databaseUrl(), 1);
  try {
    return await reader.begin('isolation level repeatable read read only', async (snapshot) => {
      await snapshot`set local statement_timeout = 0`;
      await snapshot`set local idle_in_transaction_session_timeout = '60s'`;
      const [lock] = await snapshot<{ mine: boolean }[]>`
        select pg_try_advisory_xact_lock(${lockClass}, ${job.companyId}) as mine`;
      if (!lock?.mine || !(await beat(job))) return 'somebody-else-works';
      await writeExport(snapshot, job);
      return 'finished';
    });
  } catch (error) {
    log().error({ err: error, exportId: job.id }, 'a copy of all data failed');
    if (!isDatabaseUnavailable(error))
      await sql()`update exports set failed_at = now() where company_id = ${job.companyId} and id = ${job.id}`.catch(
        () => {},
      );
    return 'failed';
  } finally {
    await reader.end({ timeout: 1 }).catch(() => {});
  }
}

// Says that somebody works on it, or waits to; false when it is finished or has failed, perhaps by somebody else in the meantime.
async function beat({ companyId, id }: ExportJob): Promise<boolean> {
  const taken = await sql()`update exports set heartbeat_at = now()
    where company_id = ${companyId} and id = ${id} and finished_at is null and failed_at is null returning 1`;
  return taken.length > 0;
}

// One snapshot for all tables, read through cursors; parts are written by the pool's own connections.
async function writeExport(
  snapshot: postgres.TransactionSql,
  { companyId, id, readme, language }: ExportJob,
): Promise<void> {
  await sql()`delete from export_parts where company_id = ${companyId} and export_id = ${id}`;
  const progress = await startProgress(snapshot, companyId, id);
  const tables = Object.entries(exportTables).map(
    ([name, statement]): ZipTable => ({
      name,
      columns: async () =>
        (await snapshot.unsafe(`${statement} limit 0`, [companyId])).columns.map((column) => column.name),
      rows: async function* () {
        for await (const rows of snapshot.unsafe(statement, [companyId]).cursor(rowsAtOnce)) {
          yield* rows as Record<string, unknown>[];
          await progress.add(rows.length);
        }
      },
    }),
  );
  let place = 0;
  await writeZip({ readme, language, tables }, async (bytes) => {
    await sql()`insert into export_parts (company_id, export_id, place, bytes)
      values (${companyId}, ${id}, ${place++}, ${Buffer.from(bytes)})`;
  });
  await sql()`update exports set finished_at = now(), heartbeat_at = now(), rows_done = rows_total
    where company_id = ${companyId} and id = ${id}`;
}

async function startProgress(snapshot: postgres.TransactionSql, companyId: number, id: string) {
  let total = 0;
  for (const statement of Object.values(exportTables)) {
    const [row] = await snapshot.unsafe(`select count(*)::int as count from (${statement}) counted`, [companyId]);
    total += Number(row?.count);
  }
  // Each row is written twice: into a CSV and into a JSON file.
  await sql()`update exports set heartbeat_at = now(), rows_done = 0, rows_total = ${2 * total}
    where company_id = ${companyId} and id = ${id}`;
  let done = 0;
  let notedAt = performance.now();
  return {
    add: async (rows: number) => {
      done += rows;
      if (performance.now() - notedAt < noteEveryMs) return;
      notedAt = performance.now();
      await sql()`update exports set heartbeat_at = now(), rows_done = ${done} where company_id = ${companyId} and id = ${id}`;
    },
  };
}
