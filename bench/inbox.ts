import postgres from 'postgres';
import type { Measured } from '#bench/report.ts';
import { disconnect } from '#db/client.ts';
import { fillDatabase, fullSize, heavyReaders, quickSize } from '#e2e/support/data/dataset/dataset.ts';
import { percentile, summarise } from '#e2e/support/figures.ts';
import { enterDatabase, type Stage } from '#e2e/support/service/stage.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { countUnread } from '#server/inbox/unread.ts';
import type { Employee } from '#server/principals.ts';

const timesEach = 50;

/** P6: an inbox page with the unread count (p50), and a search that finds nothing, for five employees. */
export async function measureInbox(stage: Stage): Promise<Measured[]> {
  const { url, adminUrl } = await stage.createDatabase();
  await fillDatabase(adminUrl, stage.quick ? quickSize : fullSize);
  await enterDatabase(url);
  const admin = postgres(adminUrl, { max: 1 });
  try {
    const [size] = await admin`select count(*)::int as count from notifications`;
    const note = `${Number(size?.count).toLocaleString('en')} notifications`;
    const measured: Measured[] = [];
    for (const [place, name] of heavyReaders.entries())
      measured.push(...(await measureReader(stage, `${name}, of ${note}`, place + 1)));
    return measured;
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
  ];
}
