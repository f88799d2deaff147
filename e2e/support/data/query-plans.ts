import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { type Embedded, startEmbedded } from '#db/embedded/embedded.ts';

/** A plan node of `auto_explain`; row counts are per loop. */
type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};

/** An executed statement: its text, duration, buffer pages and plan. */
export type Statement = {
  query: string;
  ms: number;
  buffers: number;
  /** Rows read by the node that read most, and that node. */
  examined: number;
  where: string;
  /** Sequential scans with the rows read. */
  scans: { table: string; rows: number }[];
  plan: PlanNode;
};

/**
 * Starts a PostgreSQL with default durability. After `record(true)` it writes the plans of all
 * statements to a file.
 */
export async function startRecorded(folder: string): Promise<Embedded & { record: (on: boolean) => Promise<void> }> {
  const first = await startEmbedded(folder);
  const before = postgres(first.adminUrl, { max: 1 });
  await before.unsafe('alter system set shared_preload_libraries = auto_explain');
  for (const [name, value] of Object.entries(settings)) await before.unsafe(`alter system set ${name} = '${value}'`);
  await before.end();
  await first.stop();
  const database = await startEmbedded(folder);
  const record = async (on: boolean) => {
    const sql = postgres(database.adminUrl, { max: 1 });
    await sql.unsafe(`alter system set auto_explain.log_min_duration = ${on ? 0 : -1}`);
    await sql`select pg_reload_conf()`;
    await sql.end();
    await pause(200);
  };
  return { ...database, record };
}

const settings = {
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: 'log',
  log_filename: 'plans.log',
  log_rotation_size: '0',
  log_rotation_age: '0',
};

/** Returns the statements that turn on plans for a database; run them before a service connects. */
export const recordPlansOf = (database: string): string[] =>
  Object.entries({
    log_min_messages: 'log',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_format': 'json',
  }).map(([name, value]) => `alter database ${database} set ${name} = '${value}'`);

/** Runs `work` and returns the statements with plans that were executed meanwhile. */
export async function plansDuring<Result>(
  folder: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: Statement[] }> {
  const file = join(folder, 'postgres', 'log', 'plans.json');
  const from = await settledSize(file);
  const result = await work();
  const to = await settledSize(file);
  const handle = await open(file);
  try {
    const { buffer } = await handle.read({ buffer: Buffer.alloc(to - from), position: from });
    return { result, statements: buffer.toString('utf8').split('\n').flatMap(asStatement) };
  } finally {
    await handle.close();
  }
}

// PostgreSQL's log collector writes the file with a delay.
async function settledSize(file: string): Promise<number> {
  for (let size = -1; ; ) {
    const now = (await stat(file)).size;
    if (now === size) return now;
    size = now;
    await pause(150);
  }
}

function asStatement(line: string): Statement[] {
  const message = line.startsWith('{') ? String((JSON.parse(line) as { message?: string }).message) : '';
  const [, ms, plan] = /^duration: ([\d.]+) ms {2}plan:\n(.*)$/s.exec(message) ?? [];
  if (!plan) return [];
  const { 'Query Text': query, Plan: root } = JSON.parse(plan) as { 'Query Text': string; Plan: PlanNode };
  const nodes = [...walk(root)];
  const most = nodes.reduce((one, other) => (examinedBy(other) > examinedBy(one) ? other : one));
  const scans = nodes.filter((node) => node['Node Type'] === 'Seq Scan');
  return [
    {
      query,
      ms: Number(ms),
      buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
      plan: root,
      examined: examinedBy(most),
      where: most['Index Name'] ?? most['Relation Name'] ?? most['Node Type'],
      scans: scans.map((node) => ({ table: node['Relation Name'] ?? '', rows: examinedBy(node) })),
    },
  ];
}

function* walk(node: PlanNode): Generator<PlanNode> {
  yield node;
  for (const part of node.Plans ?? []) yield* walk(part);
}

const examinedBy = (node: PlanNode) =>
  Math.round(
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops'],
  );
