import { unzipSync } from 'fflate';
import papaparse from 'papaparse';
import { expect } from 'vitest';
import { advisoryLocks } from '#db/advisory-locks.ts';
import { sql } from '#db/client.ts';
import { deleteExpired, principalOf } from '#e2e/support/data/calls.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { createRandom, naughtyTexts, words as splitWords } from '#e2e/support/data/random.ts';
import { keyDraft } from '#e2e/support/data/sends.ts';
import { test } from '#e2e/support/data/test.ts';
import { type Language, languages } from '#platform/language.ts';
import { type CsvRow, escapeFormulas, unescapeFormulas, writeCsv } from '#server/exports/csv.ts';
import { exportTables, workOnExport, writeZip } from '#server/exports/export-worker.ts';
import { createExport, listExports, openExport } from '#server/exports/exports.ts';
import { fingerprintOf } from '#server/keys/keys.ts';
import type { Owner } from '#server/principals.ts';
import { sendNotification } from '#server/sends/by-key.ts';

/** What is not exported: counters, rows that are kept for days at most, and the exports themselves. */
const leftOut = splitWords('key_usage idempotency imports exports export_parts recovery_codes failed_sign_ins');

const words = { readme: 'Bacalah', language: 'id' } as const;

async function fill(company: Company, mark: string): Promise<string> {
  await company.giveAccount(await company.hire(`Karyawan ${mark}; "kutip"`));
  const key = await company.newKey(`Kunci ${mark}`);
  const draft = { ...keyDraft, title: `=Judul ${mark}`, kind: 'gaji' } as const;
  for (let sent = 0; sent < 3; sent++) await sendNotification(await principalOf(key), draft, mark);
  return key;
}

const findExport = async (owner: Owner, id: string) => (await listExports(owner, words)).find((copy) => copy.id === id);

async function untilFinished(owner: Owner, id: string): Promise<void> {
  const ended = async () => (await findExport(owner, id))?.finishedAt ?? null;
  await expect.poll(ended, { timeout: 20_000 }).not.toBeNull();
}

async function fetchFiles(owner: Owner, id: string): Promise<Record<string, string>> {
  const copy = await openExport(owner, id);
  if (!copy) throw new Error('there is no copy');
  const pieces: Buffer[] = [];
  for await (const piece of copy.pieces) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  expect(bytes.length).toBe(copy.bytes);
  const files = Object.entries(unzipSync(bytes));
  return Object.fromEntries(files.map(([name, file]) => [name, Buffer.from(file).toString()]));
}

test('an export has each table of the company that is not left out, and no secret', async ({ company, other }) => {
  const key = await fill(company, 'milik-kami');
  await fill(other, 'milik-mereka');
  const id = await createExport(company.owner, words);
  await untilFinished(company.owner, id);
  const files = await fetchFiles(company.owner, id);
  const ofTables = Object.keys(exportTables).flatMap((name) => [`csv/${name}.csv`, `json/${name}.json`]);
  expect(Object.keys(files).sort()).toEqual(['README.txt', ...ofTables].sort());
  for (const name of Object.keys(exportTables)) {
    const rows = JSON.parse(files[`json/${name}.json`] ?? '') as object[];
    const csv = (files[`csv/${name}.csv`] ?? '').slice(1);
    const { data } = papaparse.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
    expect([name, data.length]).toEqual([name, rows.length]);
    if (rows[0]) expect(Object.keys(data[0] ?? {})).toEqual(Object.keys(rows[0]));
  }
  const read = (name: string) => JSON.parse(files[`json/${name}.json`] ?? '') as Record<string, unknown>[];
  const counts = ['company', 'accounts', 'employees', 'keys', 'notifications'].map((name) => read(name).length);
  expect(counts).toEqual([1, 2, 1, 1, 3]);
  const logged = await sql()`select from audit_log where company_id = ${company.owner.companyId}`;
  expect(read('audit_log')).toHaveLength(logged.length);
  expect(read('notifications')[0]).toMatchObject({ no: 1, title: '=Judul milik-kami' });
  expect(files['csv/notifications.csv']).toContain("'=Judul milik-kami");

  const everything = Object.values(files).join('\n');
  expect(everything).not.toContain('milik-mereka');
  expect(everything).not.toContain(other.username);
  expect(everything).not.toMatch(/argon2|password_hash|token_hash|endpoint|p256dh/);
  for (const secret of [key, fingerprintOf(key).toString('hex').slice(8)]) expect(everything).not.toContain(secret);

  const rows = await sql()<{ name: string }[]>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'company_id'`;
  const source = Object.values(exportTables).join(' ');
  const missing = rows.filter(({ name }) => !new RegExp(`(from|join) ${name}\\b`).test(source));
  expect(missing.map(({ name }) => name).filter((name) => !leftOut.includes(name))).toEqual([]);
});

test('an export whose worker was killed is restarted once by the next request', async ({ company, owner }) => {
  await fill(company, 'ulang');
  const [row] = await sql()<{ id: string }[]>`
    insert into exports (company_id, created_by, heartbeat_at, rows_done, rows_total)
    values (${owner.companyId}, ${owner.accountId}, now() - interval '16 seconds', 3, 9) returning id`;
  const id = row?.id ?? '';
  await sql()`insert into export_parts values (${owner.companyId}, ${id}, 0, 'half'), (${owner.companyId}, ${id}, 7, 'old')`;
  expect(await createExport(owner, words), 'one at a time').toBe(id);
  const looks = await Promise.all([1, 2, 3, 4].map(() => findExport(owner, id)));
  expect(looks.every((copy) => copy?.finishedAt === null)).toBe(true);
  await untilFinished(owner, id);
  expect(Object.keys(await fetchFiles(owner, id))).toContain('json/audit_log.json');
  expect(await workOnExport({ companyId: owner.companyId, id, ...words })).toBe('taken');
  expect((await listExports(owner, words)).map((copy) => copy.id)).toEqual([id]);
});

test('an export is of its company, replaces the earlier one, is deleted after 24 hours', async ({ other, owner }) => {
  const [first, theirs] = [await createExport(owner, words), await createExport(other.owner, words)];
  await untilFinished(owner, first);
  await untilFinished(other.owner, theirs);
  const id = await createExport(owner, words);
  await untilFinished(owner, id);
  await expect.poll(() => findExport(owner, first), { timeout: 10_000 }).toBeUndefined();
  expect(await findExport(other.owner, theirs)).toBeDefined();
  expect(await findExport(other.owner, id)).toBeUndefined();
  expect(await openExport(other.owner, id)).toBeNull();
  expect(await openExport(owner, 'x')).toBeNull();
  await sql()`update exports set finished_at = now() - interval '24 hours 1 second' where id = ${id}`;
  expect(await openExport(owner, id)).toBeNull();
  await deleteExpired();
  expect(await sql()`select 1 from export_parts where export_id = ${id}`).toHaveLength(0);
});

test('a zip of any length is written in pieces of bounded size', async () => {
  const rows = async function* () {
    for (let at = 0; at < 60_000; at++) yield { at, text: crypto.randomUUID() };
  };
  const sizes: number[] = [];
  const tables = [{ name: 'banyak', rows, columns: async () => ['at', 'text'] }];
  await writeZip({ ...words, tables }, async (piece) => void sizes.push(piece.length), 100_000);
  expect(sizes.length).toBeGreaterThan(10);
  expect(Math.max(...sizes)).toBeLessThan(300_000);
});

test('one export runs at a time; queued ones do not count as stalled', async () => {
  const companies = await Promise.all(Array.from({ length: 4 }, () => makeCompany()));
  const jobs = await Promise.all(
    companies.map(async ({ owner: { companyId, accountId } }) => {
      const [row] = await sql()<{ id: string }[]>`insert into exports (company_id, created_by, heartbeat_at)
        values (${companyId}, ${accountId}, now() - interval '1 minute') returning id`;
      return { companyId, id: row?.id ?? '', ...words };
    }),
  );
  const ids = jobs.map(({ companyId }) => companyId);
  // A running export holds the lock of its company; here it waits for its row.
  const locks = () => sql()`select from pg_locks
    where locktype = 'advisory' and classid = ${advisoryLocks.exportJob}::int::oid and objid = any(${ids}::int[]::oid[])`;
  const made = await sql().begin(async (transaction) => {
    await transaction`select 1 from exports where company_id = any(${ids}::int[]) for update`;
    const all = jobs.map(workOnExport);
    await expect.poll(locks, { timeout: 1500, interval: 20 }).toHaveLength(1);
    expect(await locks()).toHaveLength(1);
    return { all };
  });
  expect(await Promise.all(made.all)).toEqual(['finished', 'finished', 'finished', 'finished']);
});

async function write(rows: CsvRow[], language: Language): Promise<string> {
  let text = '';
  for await (const piece of writeCsv(['Nama', 'Jumlah'], rows, language)) text += piece;
  return text;
}

test('CSV is safe against formulas, and opens in Excel as Indonesia sets it up', async () => {
  const hostile = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx', 'aman', 'a;b', 'a"b', 'baris\ndua'];
  const rows = hostile.map((value) => [value, -5]);
  const text = await write(rows, 'id');
  expect(text.startsWith('\u{feff}Nama;Jumlah\r\n')).toBe(true);
  for (const start of ['=', '+', '-', '@', '\t', '\r']) expect(text).not.toMatch(new RegExp(`[\\n;]"?\\${start}[^5]`));
  expect(text).toContain(`aman;-5\r\n"a;b";-5\r\n"a""b";-5\r\n"baris\ndua";-5\r\n`);
  expect(await write([['a,b', null]], 'en')).toBe('\u{feff}Nama,Jumlah\r\n"a,b",\r\n');
});

test.each([
  ['=1+1', "'=1+1"],
  ['x;=1+1', "x;'=1+1"],
  ['y,=1+1', "y,'=1+1"],
  ['y\t+1', "y\t'+1"],
  ['x|@A', "x|'@A"],
  ['x; "-1', 'x; "\'-1'],
  ['x\n=1', "x\n'=1"],
  ['\n=1+1', "'\n'=1+1"],
  [' =1+1', " '=1+1"],
  ['＝1+1', "'＝1+1"],
  ['\tx', "'\tx"],
  ['x;\rx', "x;'\rx"],
  ["'=1", "''=1"],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0)', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0)'],
  ['a-b, c=d, +62 812', "a-b, c=d, '+62 812"],
  ['baris\ndua', 'baris\ndua'],
])('a cell cannot begin with a sign, whichever separator a spreadsheet uses: %j', async (text, escaped) => {
  expect(escapeFormulas(text)).toBe(escaped);
  expect(unescapeFormulas(escaped)).toBe(text);
  for (const language of languages) {
    const delimiter = language === 'id' ? ';' : ',';
    const { data } = papaparse.parse((await write([[text, 0]], language)).slice(1), { delimiter });
    expect(data[1]).toEqual([escaped, '0']);
  }
});

const formula = /^(?:[\s"“”]*[=+\-@＝＋－＠]|[\t\r\n])/u;

test('texts with signs, quotes and separators come back unchanged, and quickly (T19)', () => {
  const chance = createRandom(3);
  const pieces = ['=', '+', '-', '@', "'", '"', ';', ',', '\t', '\r', '\n', ' ', 'x', '1', '|', '＝'];
  const random = () => Array.from({ length: chance.below(10) }, () => chance.of(pieces)).join('');
  for (const text of [...naughtyTexts, ...Array.from({ length: 20_000 }, random)]) {
    expect(escapeFormulas(text)).not.toMatch(formula);
    expect(unescapeFormulas(escapeFormulas(text))).toBe(text);
  }
  const startedAt = performance.now();
  for (const piece of [' ', ';', "'", '\t', '"', '='])
    expect(escapeFormulas(`;${piece.repeat(100_000)}=`)).toContain("'=");
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
