import { setImmediate as nextTurn } from 'node:timers/promises';
import { Zip, ZipDeflate } from 'fflate';
import pLimit from 'p-limit';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { db, deleteRows, hasRows, matches, requireRow, type Transaction, updateRows } from '#db/client.ts';
import { connect } from '#db/driver/connect.ts';
import { isDatabaseUnavailable } from '#db/driver/errors.ts';
import { type PgUpdateSetSource, sql } from '#db/drizzle.cjs';
import { exportParts, exports } from '#db/schema/tables.ts';
import { databaseUrl } from '#platform/config/database.ts';
import type { Language } from '#platform/language.ts';
import { log } from '#platform/log/log.ts';
import { type CsvRow, writeCsv } from '#server/exports/csv.ts';

/**
 * The statements of an export by table; $1 is the company's id. Every column is named, so that no hash of a password,
 * key, token or endpoint is exported; of a fingerprint only the first 8 hex digits.
 */
export const exportTables: Record<string, string> = {
  company: `select id, name, time_zone, last_no, active_employees, must_confirm_kinds, keep_notifications_days,
    keep_refusals_days, warn_of_repeats, warn_of_silence, only_issuer, second_factor_from, managers_idle_minutes,
    employees_idle_minutes, created_at from companies where id = $1`,
  logo: `select version, width, height, encode(png, 'base64') as png, created_at from company_logos where company_id = $1`,
  accounts: `select id, username, name, is_owner, is_manager, owner_since, language, created_at, signed_in_at
    from accounts where company_id = $1 order by id`,
  sessions: `select id, account_id, created_at, seen_at, expires_at, address, client
    from sessions where company_id = $1 order by id`,
  bells: `select id, session_id, origin, address, client, opened_at from bells where company_id = $1 order by id`,
  identities: `select id, account_id, issuer, label, created_at, used_at from identities where company_id = $1 order by id`,
  passkeys: `select id, account_id, name, created_at, used_at from passkeys where company_id = $1 order by id`,
  employees: `select id, account_id, name, role, staff_number, active, read_up_to, created_at
    from employees where company_id = $1 order by id`,
  employment: `select employee_id, from_no, until_no from employment where company_id = $1 order by employee_id, from_no`,
  preferences: `select employee_id, muted_kinds, sound, hide_private, keep_pop_ups, shortcuts, unread_first, quiet_from, quiet_until,
    quiet_time_zone, silent_until from preferences where company_id = $1 order by employee_id`,
  portals: `select employee_id, sound, seen_at from portals where company_id = $1 order by employee_id, seen_at`,
  devices: `select employee_id, created_at from push_subscriptions where company_id = $1 order by employee_id, created_at`,
  owner_devices: `select account_id, created_at from owner_devices where company_id = $1 order by account_id, created_at`,
  invitations: `select employee_id, account_id, owner_name, manager_name, created_by, created_at, expires_at, used_at
    from invitations where company_id = $1 order by created_at`,
  join_links: `select id, role, max_requests, requests, created_by, created_at, expires_at, revoked_at
    from join_links where company_id = $1 order by id`,
  join_requests: `select id, link_id, name, role, address, created_at, decided_at, decided_by, employee_id
    from join_requests where company_id = $1 order by id`,
  keys: `select k.id, k.name, k.note, substr(encode(k.fingerprint, 'hex'), 1, 8) as fingerprint_start, k.created_by,
    k.created_at, k.revoked_at, k.replaces_id, k.must_confirm, k.expected_every_minutes, k.expected_since, k.expires_at,
    u.first_at as first_used_at, u.last_at as last_used_at, u.address as last_address, u.client as last_client
    from api_keys k left join key_uses u on u.company_id = k.company_id and u.key_id = k.id
    where k.company_id = $1 order by k.id`,
  key_traffic: `select key_id, hour, requests, refused from key_traffic where company_id = $1 order by key_id, hour`,
  notifications: `select no, recipient_id, is_listed, to_roles, title, body, kind, url, reach, key_id, account_id, must_confirm, answers,
    closed_at, reminds_no, withdrawn_at, corrected_at, corrected_by, created_at from notifications where company_id = $1 order by no`,
  planned_sends: `select draft_id, account_id, rule_id, recipient_id, to_roles, to_people, title, body, kind, url, must_confirm,
    answers, leaves_at, missed_at, missed_before, created_at from planned_sends
    where company_id = $1 and is_planned and undone_at is null order by leaves_at, draft_id`,
  send_rules: `select id, account_id, recipient_id, to_roles, to_people, title, body, kind, url, must_confirm, answers, every, weekdays,
    month_day, minute, time_zone, starts_on, ends_on, created_at, ended_at from send_rules where company_id = $1 order by id`,
  notification_pictures: `select n.no, p.draft_id, p.width, p.height, encode(p.jpeg, 'base64') as jpeg, p.created_at
    from notification_pictures p left join notifications n on n.company_id = p.company_id and n.draft_id = p.draft_id
    where p.company_id = $1 order by p.created_at, p.draft_id`,
  notification_people: `select no, employee_id from notification_people where company_id = $1 order by no, employee_id`,
  send_templates: `select id, name, recipient_id, to_roles, to_people, title, body, kind, url, must_confirm, answers, created_by,
    created_at, changed_at from send_templates where company_id = $1 order by id`,
  receipts: `select no, employee_id, shown_at, read_at, unread_at, confirmed_at, answer, first_confirmed_at, archived_at, snoozed_until
    from receipts where company_id = $1 order by employee_id, no`,
  read_marks: `select employee_id, up_to, at from read_marks where company_id = $1 order by employee_id, up_to`,
  audit_log: `select id, at, actor_kind, actor_id, actor_name, action, details, request_id, key_id, employee_id
    from audit_log where company_id = $1 order by id`,
  refusals: `select id, at, request_id, key_id, code, field, figures, operation, address, client, more
    from refusals where company_id = $1 order by id`,
  refusal_counts: `select hour, key_id, code, not_kept from refusal_counts
    where company_id = $1 and not_kept > 0 order by hour, key_id, code`,
  statistics: `select day, key_id, sends, reach, read_within_hour, to_confirm, confirmed, counted_at
    from send_statistics where company_id = $1 order by day, key_id`,
  alarms: `select id, kind, key_id, account_id, at, last_at, details, dismissed_at from alarms where company_id = $1 order by id`,
};

export type ExportJob = { companyId: number; id: string; readme: string; language: Language };

/** `'taken'`: another process works on it, or it has ended. */
type ExportOutcome = 'finished' | 'taken' | 'failed';

// Each running export holds a connection outside the pool.
const exportQueue = pLimit(1);

/**
 * Makes an export, or waits in the queue of this process. An advisory lock of the company, in the transaction that
 * reads, ends with the process, also behind a pooler. Never rejects.
 */
export async function workOnExport(job: ExportJob): Promise<ExportOutcome> {
  const waiting = setInterval(() => renewHeartbeat(job).catch(() => {}), 5000).unref();
  return exportQueue(() => {
    clearInterval(waiting);
    return makeExport(job);
  });
}

async function makeExport(job: ExportJob): Promise<ExportOutcome> {
  const reader = connect(databaseUrl(), 1);
  try {
    return await reader.begin('isolation level repeatable read read only', async (snapshot) => {
      await db(snapshot).execute(sql`set local statement_timeout = 0`);
      await db(snapshot).execute(sql`set local idle_in_transaction_session_timeout = '60s'`);
      const lock = sql`select pg_try_advisory_xact_lock(${advisoryLocks.exportJob}, ${job.companyId}) as mine`;
      const { mine } = await requireRow(db(snapshot).execute<{ mine: boolean }>(lock));
      if (!mine || !(await renewHeartbeat(job))) return 'taken';
      await writeExport(snapshot, job);
      return 'finished';
    });
  } catch (error) {
    log().error({ err: error, exportId: job.id }, 'an export failed');
    if (!isDatabaseUnavailable(error)) await changeExport(job, { failedAt: sql`now()` }).catch(() => {});
    return 'failed';
  } finally {
    await reader.end({ timeout: 1 }).catch(() => {});
  }
}

// Returns false when the export has finished or failed, perhaps in another process.
async function renewHeartbeat({ companyId, id }: ExportJob): Promise<boolean> {
  const isRunning = matches(exports, { companyId, id, finishedAt: null, failedAt: null });
  const renewed = db().update(exports).set({ heartbeatAt: sql`now()` }).where(isRunning);
  return hasRows(renewed.returning({ id: exports.id }));
}

async function changeExport({ companyId, id }: ExportJob, changes: PgUpdateSetSource<typeof exports>): Promise<void> {
  await updateRows(db(), exports, { companyId, id }, changes);
}

// Reads all tables from one snapshot through cursors. Connections of the pool write the parts.
async function writeExport(snapshot: Transaction, job: ExportJob): Promise<void> {
  const { companyId, id, readme, language } = job;
  await deleteRows(db(), exportParts, { companyId, exportId: id });
  const addProgress = await startProgress(snapshot, job);
  const tables = Object.entries(exportTables).map(
    ([name, statement]): ZipTable => ({
      name,
      columns: async () =>
        (await snapshot.unsafe(`${statement} limit 0`, [companyId])).columns.map((column) => column.name),
      rows: async function* () {
        const most = name === 'notification_pictures' ? 10 : 1000;
        for await (const rows of snapshot.unsafe(statement, [companyId]).cursor(most)) {
          yield* rows as Record<string, unknown>[];
          await addProgress(rows.length);
        }
      },
    }),
  );
  let place = 0;
  await writeZip({ readme, language, tables }, async (bytes) => {
    const part = { companyId, exportId: id, place: place++, bytes: Buffer.from(bytes) };
    await db().insert(exportParts).values(part);
  });
  await changeExport(job, { finishedAt: sql`now()`, heartbeatAt: sql`now()`, rowsDone: sql`${exports.rowsTotal}` });
}

async function startProgress(snapshot: Transaction, job: ExportJob) {
  let total = 0;
  for (const statement of Object.values(exportTables)) {
    const [row] = await snapshot.unsafe(`select count(*)::int as count from (${statement}) counted`, [job.companyId]);
    total += Number(row?.count);
  }
  // Each row is written twice: to a CSV file and to a JSON file.
  await changeExport(job, { heartbeatAt: sql`now()`, rowsDone: 0, rowsTotal: 2 * total });
  let done = 0;
  let savedAt = performance.now();
  return async (rows: number) => {
    done += rows;
    if (performance.now() - savedAt < 1000) return;
    savedAt = performance.now();
    await changeExport(job, { heartbeatAt: sql`now()`, rowsDone: done });
  };
}

// A table of an export. `rows` can be called again and returns the same rows.
type ZipTable = {
  name: string;
  rows: () => AsyncIterable<Record<string, unknown>>;
  columns: () => Promise<string[]>;
};

// Excel shows 1,048,576 rows of a file. A file in a zip without extensions has less than 4 GB.
const rowsPerFile = 1_000_000;
const jsonPieceLength = 64 * 1024;
const maxZipBytes = 4_000_000_000;
const level = 3;

/**
 * Writes a zip of README.txt and, for each table, `csv/<name>.csv` and `json/<name>.json`, in pieces of at least
 * `pieceBytes`, and waits for each. A million rows begin a further file, `<name>-2.csv`. Throws over 4 GB.
 */
export async function writeZip(
  { readme, language, tables }: { readme: string; language: Language; tables: ZipTable[] },
  take: (piece: Uint8Array) => Promise<void>,
  pieceBytes = 1024 * 1024,
): Promise<void> {
  const out = collect(take, pieceBytes);
  const zip = new Zip(out.push);
  const encoder = new TextEncoder();
  const addFile = async (name: string, pieces: AsyncIterable<string> | string[]) => {
    const file = new ZipDeflate(name, { level });
    zip.add(file);
    for await (const piece of pieces) {
      file.push(encoder.encode(piece));
      await out.flush(false);
      await nextTurn();
    }
    file.push(new Uint8Array(0), true);
  };
  const addAll = async (name: string, ending: string, rows: Rows, write: (part: Rows) => AsyncIterable<string>) => {
    const iterator = rows[Symbol.asyncIterator]();
    const state = { ended: false };
    for (let part = 1; part === 1 || !state.ended; part++)
      await addFile(`${name}${part === 1 ? '' : `-${part}`}.${ending}`, write(takeRows(iterator, state)));
  };
  await addFile('README.txt', [readme]);
  for (const { name, rows, columns } of tables) {
    const header = await columns();
    await addAll(`csv/${name}`, 'csv', rows(), (part) => writeCsv(header, asCsv(header, part), language));
    await addAll(`json/${name}`, 'json', rows(), writeJson);
  }
  zip.end();
  await out.flush(true);
}

function collect(take: (piece: Uint8Array) => Promise<void>, pieceBytes: number) {
  let waiting: Uint8Array[] = [];
  let length = 0;
  let total = 0;
  return {
    push: (error: Error | null, bytes: Uint8Array) => {
      if (error) throw error;
      waiting.push(bytes);
      length += bytes.length;
      total += bytes.length;
      if (total > maxZipBytes) throw new Error('the export is larger than 4 GB, the limit of a zip');
    },
    flush: async (all: boolean) => {
      if (length === 0 || (length < pieceBytes && !all)) return;
      const piece = Buffer.concat(waiting);
      waiting = [];
      length = 0;
      await take(piece);
    },
  };
}

type Rows = AsyncIterable<Record<string, unknown>>;

// Up to one file's rows; the iterator goes on in the next file.
async function* takeRows(
  iterator: AsyncIterator<Record<string, unknown>>,
  state: { ended: boolean },
): Rows & AsyncGenerator {
  for (let count = 0; count < rowsPerFile; count++) {
    const { value, done } = await iterator.next();
    if (done) {
      state.ended = true;
      return;
    }
    yield value;
  }
}

async function* asCsv(header: string[], rows: Rows): AsyncGenerator<CsvRow> {
  for await (const row of rows) yield header.map((name) => asField(row[name]));
}

function asField(value: unknown): CsvRow[number] {
  if (value === null || value === undefined || value instanceof Date) return value ?? null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean);
}

async function* writeJson(rows: Rows): AsyncGenerator<string> {
  let piece = '[';
  let separator = '\n';
  for await (const row of rows) {
    piece += separator + JSON.stringify(row);
    separator = ',\n';
    if (piece.length < jsonPieceLength) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}\n]\n`;
}
