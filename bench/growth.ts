import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { signInActors } from '#bench/growth/actors.ts';
import { measureMany } from '#bench/growth/many.ts';
import { type Actors, type Operation, operations } from '#bench/growth/operations.ts';
import { disconnect } from '#db/client.ts';
import type { Embedded } from '#db/embedded/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { giveToService } from '#db/service-role.ts';
import {
  type CompanySize,
  fillDatabase,
  fullSize,
  manyCompanies,
  quickSize,
} from '#e2e/support/data/dataset/dataset.ts';
import { plansDuring, recordPlansOf, type Statement, startRecorded } from '#e2e/support/data/query-plans.ts';
import { percentile } from '#e2e/support/figures.ts';
import { freePort, root, startService } from '#e2e/support/service/service.ts';
import { benchSecret } from '#e2e/support/service/stage.ts';
import { adopt } from '#platform/config/settings.ts';
import { buildIfNeeded } from '#server/runtime/build.ts';

// `npm run bench -- growth` measures each page and operation in the largest and in a small company,
// with query plans. `quick` uses a small data set, `--data FOLDER` keeps the database for the next
// run, other words select operations by name. `many` has 20,000 companies and 1,000,000 employees,
// beside a small database that is measured in turns (12 minutes to fill, 10 GB of disk).

const words = process.argv.slice(3);
const quick = words.includes('quick');
const many = words.includes('many');
const kept = words.includes('--data') ? words[words.indexOf('--data') + 1] : undefined;
const only = words.filter((word) => !['quick', 'many', '--data', kept].includes(word));
const name = 'growth';

type Line = { name: string; company: string; status: number; bytes: number; p50: number; p95: number } & {
  statements: Statement[];
};

async function main(): Promise<void> {
  await buildIfNeeded();
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'notif-growth-')));
  const database = await startRecorded(folder);
  try {
    if (many) {
      const small = await prepare(database, `${name}_small`, quickSize);
      await measureMany(small, await prepare(database, name, manyCompanies));
      return;
    }
    const { url, adminUrl } = await prepare(database, name, quick ? quickSize : fullSize);
    await measureAll(folder, database, url, adminUrl);
  } finally {
    await disconnect();
    await database.stop();
    if (!kept) await rm(folder, { recursive: true, force: true });
  }
}

async function prepare(
  { adminUrl: server }: Embedded,
  name: string,
  size: CompanySize[],
): Promise<{ url: string; adminUrl: string }> {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  const adminUrl = server.replace(/\/postgres$/, `/${name}`);
  const found = await sql`select from pg_database where datname = ${name}`;
  if (found.length === 0) await sql.unsafe(`create database ${name}`);
  for (const statement of recordPlansOf(name)) await sql.unsafe(statement);
  await sql.end();
  const url = await giveToService(adminUrl);
  await migrate(url);
  if (found.length > 0) return { url, adminUrl };
  const seconds = await fillDatabase(adminUrl, size);
  process.stderr.write(`the data set took ${JSON.stringify(seconds)}\n`);
  return { url, adminUrl };
}

async function measureAll(
  folder: string,
  database: Awaited<ReturnType<typeof startRecorded>>,
  url: string,
  adminUrl: string,
): Promise<void> {
  const port = await freePort();
  const appUrl = `http://127.0.0.1:${port}`;
  const settings = { DATABASE_URL: url, AUTH_SECRET: benchSecret, HOST: '127.0.0.1', APP_URL: appUrl };
  adopt({ databaseUrl: url, authSecret: benchSecret, appUrl });
  const service = await startService({ ...settings, PORT: String(port), NODE_ENV: 'production', LOG_LEVEL: 'warn' });
  try {
    const lines: Line[] = [];
    for (const [size, place] of [
      ['largest', 'first'],
      ['small', 'last'],
    ] as const) {
      const actors = await signInActors(adminUrl, appUrl, place);
      for (const operation of operations.filter((one) => only.every((word) => one.name.includes(word))))
        lines.push(await measure(folder, database, operation, actors, size));
    }
    await write(lines);
    process.stderr.write(service.output());
  } finally {
    await service.stop();
  }
}

async function measure(
  folder: string,
  { record }: { record: (on: boolean) => Promise<void> },
  operation: Operation,
  actors: Actors,
  company: string,
): Promise<Line> {
  const { name: called, ask, rounds = 9 } = operation;
  const once = async () => {
    const started = performance.now();
    // A broken download is a result, not an error of the benchmark.
    const answered = await ask(actors).then(
      async (response) => ({ status: response.status, bytes: (await response.arrayBuffer()).byteLength }),
      () => ({ status: 0, bytes: 0 }),
    );
    return { ms: performance.now() - started, ...answered };
  };
  const { status, bytes } = await once();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push((await once()).ms);
  await record(true);
  const { statements } = await plansDuring(folder, once);
  await record(false);
  const line = { name: called, company, status, bytes, p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
  const own = statements.filter(({ query }) => !isBackground(query));
  process.stdout.write(`${asRow({ ...line, statements: own })}\n`);
  return { ...line, statements: own };
}

// Statements of background work: the reconciliation, and flushes of the call log.
const isBackground = (query: string) =>
  /^\s*(with kept_uses|with seen as|insert into alarms|select id, last_no)/.test(query) ||
  query.includes('any($1::int[])  /* sweep */');

const digits = (value: number) => (value >= 100 ? String(Math.round(value)) : value.toFixed(1));

function asRow({ name: called, company, status, bytes, p50, p95, statements }: Line): string {
  const sum = (of: (one: Statement) => number) => statements.reduce((all, one) => all + of(one), 0);
  const worst = statements.toSorted((a, b) => b.examined - a.examined)[0];
  const scans = statements.flatMap((one) => one.scans).filter(({ rows }) => rows > 200);
  const scanned = scans.map(({ table, rows }) => `${table} (${rows})`).join(', ');
  const most = worst ? `${worst.examined} (${worst.where})` : '';
  return `| ${called} | ${company} | ${status} | ${bytes} | ${digits(p50)} | ${digits(p95)} | ${statements.length} | ${digits(sum((one) => one.ms))} | ${sum((one) => one.buffers)} | ${most} | ${scanned} |`;
}

async function write(lines: Line[]): Promise<void> {
  const out = join(root, 'bench', 'out');
  await mkdir(out, { recursive: true });
  const head = [
    'Page or operation',
    'Company',
    'Status',
    'Bytes',
    'p50 ms',
    'p95 ms',
    'Statements',
    'In the database, ms',
  ];
  const columns = [...head, 'Buffers', 'Most rows examined', 'Read from end to end'];
  const table = [`| ${columns.join(' | ')} |`, `|${'---|'.repeat(columns.length)}`, ...lines.map(asRow), ''].join('\n');
  await writeFile(join(out, 'growth.md'), table);
  await writeFile(join(out, 'growth.json'), JSON.stringify(lines, null, 1));
}

await main();
