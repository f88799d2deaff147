import pLimit from 'p-limit';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { sql, type Transaction } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { maxExports } from '#platform/config/connections.ts';
import { databaseUrl } from '#platform/config/database.ts';
import { log } from '#platform/log/log.ts';
import { exportTables } from '#server/exports/export-tables.ts';
import { writeZip, type ZipTable } from '#server/exports/export-zip.ts';

/** An export to be made: its company, its id and the text of its README. */
export type ExportJob = { companyId: number; id: string; readme: string; language: 'id' | 'en' };

const rowsPerRead = 1000;
const progressEveryMs = 1000;
const heartbeatEveryMs = 5000;

/** `'taken'`: another process works on it, or it has ended. */
type ExportOutcome = 'finished' | 'taken' | 'failed';

// Each running export holds a connection outside the pool.
const exportQueue = pLimit(1);

/**
 * Makes an export from the beginning, or waits in the queue of this process. The worker holds an
 * advisory lock of the company in the transaction that reads; the lock ends with the process, also
 * behind a pooler. Never rejects: errors go to the log and, unless the database is unavailable,
 * into the export's row.
 */
export async function workOnExport(job: ExportJob): Promise<ExportOutcome> {
  const waiting = setInterval(() => renewHeartbeat(job).catch(() => {}), heartbeatEveryMs).unref();
  exportQueue.concurrency = maxExports();
  return exportQueue(() => {
    clearInterval(waiting);
    return makeExport(job);
  });
}

async function makeExport(job: ExportJob): Promise<ExportOutcome> {
  const reader = connect(databaseUrl(), 1);
  try {
    return await reader.begin('isolation level repeatable read read only', async (snapshot) => {
      await snapshot`set local statement_timeout = 0`;
      await snapshot`set local idle_in_transaction_session_timeout = '60s'`;
      const [lock] = await snapshot<{ mine: boolean }[]>`
        select pg_try_advisory_xact_lock(${advisoryLocks.exportJob}, ${job.companyId}) as mine`;
      if (!lock?.mine || !(await renewHeartbeat(job))) return 'taken';
      await writeExport(snapshot, job);
      return 'finished';
    });
  } catch (error) {
    log().error({ err: error, exportId: job.id }, 'an export failed');
    if (!isDatabaseUnavailable(error))
      await sql()`update exports set failed_at = now() where company_id = ${job.companyId} and id = ${job.id}`.catch(
        () => {},
      );
    return 'failed';
  } finally {
    await reader.end({ timeout: 1 }).catch(() => {});
  }
}

// Returns false when the export has finished or failed, perhaps in another process.
async function renewHeartbeat({ companyId, id }: ExportJob): Promise<boolean> {
  const taken = await sql()`update exports set heartbeat_at = now()
    where company_id = ${companyId} and id = ${id} and finished_at is null and failed_at is null returning 1`;
  return taken.length > 0;
}

// Reads all tables from one snapshot through cursors. The parts are written on connections of the
// pool.
async function writeExport(snapshot: Transaction, { companyId, id, readme, language }: ExportJob): Promise<void> {
  await sql()`delete from export_parts where company_id = ${companyId} and export_id = ${id}`;
  const progress = await startProgress(snapshot, companyId, id);
  const tables = Object.entries(exportTables).map(
    ([name, statement]): ZipTable => ({
      name,
      columns: async () =>
        (await snapshot.unsafe(`${statement} limit 0`, [companyId])).columns.map((column) => column.name),
      rows: async function* () {
        for await (const rows of snapshot.unsafe(statement, [companyId]).cursor(rowsPerRead)) {
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

async function startProgress(snapshot: Transaction, companyId: number, id: string) {
  let total = 0;
  for (const statement of Object.values(exportTables)) {
    const [row] = await snapshot.unsafe(`select count(*)::int as count from (${statement}) counted`, [companyId]);
    total += Number(row?.count);
  }
  // Each row is written twice: to a CSV file and to a JSON file.
  await sql()`update exports set heartbeat_at = now(), rows_done = 0, rows_total = ${2 * total}
    where company_id = ${companyId} and id = ${id}`;
  let done = 0;
  let savedAt = performance.now();
  return {
    add: async (rows: number) => {
      done += rows;
      if (performance.now() - savedAt < progressEveryMs) return;
      savedAt = performance.now();
      await sql()`update exports set heartbeat_at = now(), rows_done = ${done} where company_id = ${companyId} and id = ${id}`;
    },
  };
}
