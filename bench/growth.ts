import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { type Actors, operations, signInActors } from '#bench/operations.ts';
import { disconnect } from '#db/client.ts';
import { type Embedded, startEmbedded } from '#db/embedded/embedded.ts';
import { migrate } from '#db/migrate.ts';
import { giveToService } from '#db/service-role.ts';
import { type CompanySize, fillDatabase, manyCompanies, quickSize } from '#e2e/support/data/dataset/dataset.ts';
import { deleteExpired } from '#e2e/support/data/expired.ts';
import { percentile } from '#e2e/support/figures.ts';
import { freePort, root, type Service, startService } from '#e2e/support/service/service.ts';
import { benchSecret } from '#e2e/support/service/stage.ts';
import { adopt } from '#platform/config/settings.ts';
import { buildIfNeeded } from '#server/runtime/build.ts';

// `npm run bench -- growth` measures operations in the largest and in a small company of a database
// with 20,000 companies and 1,000,000 employees and of a small one in turns, and then what concerns
// the whole large one (12 minutes to fill, 10 GB of disk). `--data FOLDER` keeps the databases for
// the next run. Prints Markdown and writes it to bench/out/growth.md.

type Database = { url: string; adminUrl: string };

async function main(): Promise<void> {
  await buildIfNeeded();
  const kept = process.argv[process.argv.indexOf('--data') + 1 || Number.POSITIVE_INFINITY];
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'notif-growth-')));
  const server = await startEmbedded(folder);
  try {
    const small = await prepare(server, 'growth_small', quickSize);
    await measure(small, await prepare(server, 'growth', manyCompanies));
  } finally {
    await disconnect();
    await server.stop();
    if (!kept) await rm(folder, { recursive: true, force: true });
  }
}

async function prepare({ adminUrl: server }: Embedded, name: string, size: CompanySize[]): Promise<Database> {
  const sql = postgres(server, { max: 1, onnotice: () => {} });
  const adminUrl = server.replace(/\/postgres$/, `/${name}`);
  const found = await sql`select from pg_database where datname = ${name}`;
  if (found.length === 0) await sql.unsafe(`create database ${name}`);
  await sql.end();
  const url = await giveToService(adminUrl);
  await migrate(url);
  if (found.length > 0) return { url, adminUrl };
  const seconds = await fillDatabase(adminUrl, size);
  process.stderr.write(`the data set took ${JSON.stringify(seconds)}\n`);
  return { url, adminUrl };
}

const rounds = 15;

async function measure(small: Database, large: Database): Promise<void> {
  const lines = [...(await compare(small, large)), '', ...(await measureWhole(large)), '', ...(await listSizes(large))];
  const text = `${lines.join('\n')}\n`;
  process.stdout.write(text);
  const out = join(root, 'bench', 'out');
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'growth.md'), text);
}

async function start({ url }: Database): Promise<{ service: Service; appUrl: string; ms: number }> {
  const port = await freePort();
  const appUrl = `http://127.0.0.1:${port}`;
  const settings = { DATABASE_URL: url, AUTH_SECRET: benchSecret, HOST: '127.0.0.1', APP_URL: appUrl };
  const started = performance.now();
  const service = await startService({ ...settings, PORT: String(port), NODE_ENV: 'production', LOG_LEVEL: 'warn' });
  return { service, appUrl, ms: performance.now() - started };
}

const startMs: string[] = [];

async function compare(small: Database, large: Database): Promise<string[]> {
  const lines = [
    '| Operation | Company | small database, ms | 20,000 companies, ms | Ratio |',
    '| --- | --- | --- | --- | --- |',
  ];
  const running: { service: Service; actors: Actors[] }[] = [];
  try {
    for (const database of [small, large]) {
      const { service, appUrl, ms } = await start(database);
      startMs.push(`${Math.round(ms)} ms`);
      const entry = { service, actors: [] as Actors[] };
      running.push(entry);
      adopt({ databaseUrl: database.url, authSecret: benchSecret, appUrl });
      for (const place of ['first', 'last'] as const)
        entry.actors.push(await signInActors(database.adminUrl, appUrl, place));
      await disconnect();
    }
    for (const operation of operations)
      for (const [at, company] of ['largest', 'small'].entries()) {
        const times = await inTurns(
          running.map(
            ({ actors }) =>
              () =>
                operation.ask(actors[at] as Actors),
          ),
        );
        const [one = 0, many = 0] = times.map((own) => percentile(own, 0.5));
        lines.push(
          `| ${operation.name} | ${company} | ${one.toFixed(1)} | ${many.toFixed(1)} | ${(many / one).toFixed(2)} |`,
        );
      }
  } finally {
    for (const { service } of running) await service.stop();
  }
  return lines;
}

// The first round warms up.
async function inTurns(asks: (() => Promise<Response>)[]): Promise<number[][]> {
  const times: number[][] = asks.map(() => []);
  for (let round = 0; round <= rounds; round++)
    for (const [at, ask] of asks.entries()) {
      const started = performance.now();
      const response = await ask();
      await response.arrayBuffer();
      if (response.status >= 400) throw new Error(`${response.url} answered ${response.status}`);
      if (round > 0) times[at]?.push(performance.now() - started);
    }
  return times;
}

async function measureWhole(database: Database): Promise<string[]> {
  const sql = postgres(database.adminUrl, { max: 1 });
  const lines = [
    '| What | Measured |',
    '| --- | --- |',
    `| start until ready, small and large | ${startMs.join(', ')} |`,
  ];
  const time = async (what: string, work: () => Promise<unknown>, times = 1) => {
    const started = performance.now();
    for (let done = 0; done < times; done++) await work();
    lines.push(`| ${what} | ${((performance.now() - started) / times).toFixed(2)} ms |`);
  };
  adopt({ databaseUrl: database.url, authSecret: benchSecret, appUrl: 'http://127.0.0.1' });
  await time('migration when there is nothing to do', () => migrate(database.url));
  const names = await sql<{ username: string }[]>`select username from accounts tablesample bernoulli (0.1) limit 200`;
  let turn = 0;
  const find = () => sql`select a.id from accounts a
    left join employees e on e.company_id = a.company_id and e.account_id = a.id
    where lower(a.username) = lower(${names[turn++ % names.length]?.username ?? ''})`;
  await time('look-up of a username', find, 200);
  const ids = Array.from({ length: 20_000 }, (_, id) => id + 1);
  await time(
    'sweep of 20,000 companies',
    () => sql`select id, last_no, access_no from companies where id = any(${ids}::int[])`,
    5,
  );
  await time('all hourly jobs', deleteExpired);
  await disconnect();
  await sql.end();
  return lines;
}

async function listSizes({ adminUrl }: Database): Promise<string[]> {
  const sql = postgres(adminUrl, { max: 1 });
  // A partitioned table or index has its bytes in its partitions.
  const sizeOf = (size: postgres.Fragment, oid = sql`oid`) =>
    sql`(select sum(${size}(relid)) from (select relid from pg_partition_tree(${oid}) union select ${oid}) p (relid))::float8`;
  const tables = await sql<{ name: string; rows: number; heap: number; indexes: number }[]>`
    select relname as name, reltuples::float8 as rows, ${sizeOf(sql`pg_table_size`)} as heap, ${sizeOf(sql`pg_indexes_size`)} as indexes
    from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and reltuples > 10000
    order by ${sizeOf(sql`pg_total_relation_size`)} desc`;
  const indexes = await sql<{ name: string; bytes: number; rows: number }[]>`
    select i.relname as name, ${sizeOf(sql`pg_relation_size`, sql`i.oid`)} as bytes, t.reltuples::float8 as rows
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relname in ('notifications', 'receipts', 'audit_log') order by t.relname, 2 desc`;
  await sql.end();
  const mb = (bytes: number) => (bytes / 1e6).toFixed(0);
  return [
    '| Table | Rows | MB | MB of indexes | Bytes a row, with indexes |',
    '| --- | --- | --- | --- | --- |',
    ...tables.map(
      ({ name, rows, heap, indexes: own }) =>
        `| ${name} | ${rows.toFixed(0)} | ${mb(heap)} | ${mb(own)} | ${((heap + own) / rows).toFixed(0)} |`,
    ),
    '',
    '| Index | MB | Bytes a row |',
    '| --- | --- | --- |',
    ...indexes.map(({ name, bytes, rows }) => `| ${name} | ${mb(bytes)} | ${(bytes / rows).toFixed(1)} |`),
  ];
}

await main();
