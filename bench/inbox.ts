import postgres from 'postgres';
import type { Measured } from '#bench/report.ts';
import { disconnect, sql } from '#db/client.ts';
import { enterDatabase } from '#e2e/support/data/callers.ts';
import { heavyReaders, shareDataset } from '#e2e/support/data/dataset/dataset.ts';
import { percentile, summarise } from '#e2e/support/figures.ts';
import type { Stage } from '#e2e/support/service/stage.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { countUnread } from '#server/inbox/unread.ts';
import type { Employee } from '#server/principals.ts';
import { sendNotification } from '#server/sends/by-key.ts';

const timesEach = 50;

/**
 * P6: time (p50) and buffer pages of an inbox page of 20 and the unread count, and the time of a
 * search that finds nothing, for five employees of the largest company. P5: write-ahead log of a broadcast, in the largest company and in one of
 * 10.
 */
export async function measureInbox(stage: Stage): Promise<Measured[]> {
  const { url, adminUrl } = await shareDataset(stage);
  await enterDatabase(url);
  const admin = postgres(adminUrl, { max: 1 });
  try {
    const [size] = await admin`select count(*)::int as count from notifications`;
    const note = `${Number(size?.count).toLocaleString('en')} notifications`;
    const measured: Measured[] = [];
    for (const [place, name] of heavyReaders.entries())
      measured.push(...(await measureReader(stage, `${name}, of ${note}`, place + 1)));
    return [...(await measureLog(admin)), ...measured];
  } finally {
    await admin.end();
    await disconnect();
  }
}

async function measureReader({ quick }: Stage, name: string, employeeId: number): Promise<Measured[]> {
  const company = { companyId: 1, companyName: 'Contoh', timeZone: 'Asia/Jakarta' };
  const person: Employee = { kind: 'employee', ...company, employeeId, name: 'Contoh' };
  const look = async () => {
    await listInbox(person);
    await countUnread(person);
  };
  const rounds: number[] = [];
  for (let round = 0; round < (quick ? 3 : 9); round++) {
    const times: number[] = [];
    for (let time = 0; time < timesEach; time++) {
      const started = performance.now();
      await look();
      times.push(performance.now() - started);
    }
    rounds.push(percentile(times, 0.5));
  }
  const searches: number[] = [];
  for (let time = 0; time < (quick ? 3 : 9); time++) {
    const started = performance.now();
    await listInbox(person, { filter: { search: 'langkasekali gaji' } });
    searches.push(performance.now() - started);
  }
  const what = `inbox page and unread count: ${name}`;
  const search = `inbox search of an absent word: ${name}`;
  return [
    { id: 'P6', what: search, unit: 'ms', goal: { atMost: 100 }, ...summarise(searches) },
    { id: 'P6', what: `${what}, p50`, unit: 'ms', goal: { atMost: 1 }, ...summarise(rounds) },
    { id: 'P6', what: `${what}, buffers`, unit: 'pages', goal: { atMost: 150 }, ...summarise([await buffersOf(look)]) },
  ];
}

// Runs the recorded statements again with EXPLAIN.
async function buffersOf(look: () => Promise<void>): Promise<number> {
  const sent: { text: string; values: unknown[] }[] = [];
  sql().options.debug = (_connection, text, values) => void sent.push({ text, values: [...values] });
  await look();
  sql().options.debug = false;
  let buffers = 0;
  for (const { text, values } of sent) {
    const [row] = await sql().unsafe(`explain (analyze, buffers, timing off, format json) ${text}`, values as never[]);
    const plan = row?.['QUERY PLAN'] as [{ Plan: Record<'Shared Hit Blocks' | 'Shared Read Blocks', number> }];
    buffers += plan[0].Plan['Shared Hit Blocks'] + plan[0].Plan['Shared Read Blocks'];
  }
  return buffers;
}

async function measureLog(admin: postgres.Sql): Promise<Measured[]> {
  const companies = await admin<{ companyId: number; active: number; id: number }[]>`
    select c.id as "companyId", c.active_employees as active, (select max(id) from api_keys k where k.company_id = c.id and revoked_at is null) as id
    from companies c where c.id in (select min(id) from companies union select max(id) from companies) order by c.id`;
  const measured: Measured[] = [];
  for (const { companyId, active, id } of companies) {
    const key = { kind: 'key', companyId, companyName: 'Contoh', id, name: 'Contoh' } as const;
    const kilobytes: number[] = [];
    for (let turn = 0; turn < 41; turn++) {
      const before = await position(admin);
      const draft = {
        recipients: { to: 'everyone' },
        title: 'Judul kiriman uji',
        body: 'Isi kiriman uji.',
        kind: 'info',
        url: null,
      } as const;
      await sendNotification(key, draft, 'bench');
      const [row] = await admin`select pg_wal_lsn_diff(${await position(admin)}, ${before})::int as bytes`;
      if (turn > 20) kilobytes.push(Number(row?.bytes) / 1024);
    }
    const what = `write-ahead log of a broadcast to ${active.toLocaleString('en')}`;
    const note = 'with wal_compression = on; 17 kB without';
    measured.push({ id: 'P5', what, unit: 'kB', goal: { atMost: 8 }, ...summarise(kilobytes), note });
  }
  return measured;
}

async function position(admin: postgres.Sql): Promise<string> {
  const [row] = await admin`select pg_current_wal_insert_lsn()::text as at`;
  return String(row?.at);
}
