import type { Measured } from '#bench/report.ts';
import { sql } from '#db/client.ts';
import { fillDatabase, fullSize, heavyReaders, quickSize } from '#e2e/support/data/dataset/dataset.ts';
import { summarise } from '#e2e/support/figures.ts';
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
  const [size] = await sql()`select count(*)::int as count from notifications`;
  const note = `${Number(size?.count).toLocaleString('en')} notifications`;
  const measured: Measured[] = [];
  for (const [place, name] of heavyReaders.entries())
    measured.push(...(await measureReader(stage, `${name}, of ${note}`, place + 1)));
  return measured;
}

async function measureReader({ quick }: Stage, name: string, employeeId: number): Promise<Measured[]> {
  const company = { companyId: 1, companyName: 'Contoh', timeZone: 'Asia/Jakarta' };
  const person: Employee = { kind: 'employee', ...company, employeeId, name: 'Contoh' };
  const timeOf = async (work: () => Promise<unknown>) => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };
  const [looks, searches]: [number[], number[]] = [[], []];
  for (let round = 0; round < (quick ? 3 : 9); round++) {
    const times: number[] = [];
    while (times.length < timesEach)
      times.push(await timeOf(async () => [await listInbox(person), await countUnread(person)]));
    looks.push(summarise(times).value);
    searches.push(await timeOf(() => listInbox(person, { filter: { search: 'langkasekali gaji' } })));
  }
  const what = `inbox page and unread count: ${name}`;
  const search = `inbox search of an absent word: ${name}`;
  return [
    { id: 'P6', what: search, unit: 'ms', atMost: 100, ...summarise(searches) },
    { id: 'P6', what: `${what}, p50`, unit: 'ms', atMost: 1, ...summarise(looks) },
  ];
}
