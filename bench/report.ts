import { execFileSync } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Summary } from '#e2e/support/figures.ts';
import { root } from '#e2e/support/service/service.ts';

/** A measured value. `id` groups rows (P1, P2, …); `value` is compared with `goal`, both in `unit`. */
export type Measured = Summary & {
  id: string;
  what: string;
  unit: '' | 'ms' | 's' | 'kB' | '% of a core' | 'requests/s' | 'pages';
  goal: { atMost: number } | { atLeast: number } | null;
  note?: string;
};

/** What the values depend on: the machine, the versions and the durability settings, by name. */
export type Environment = Record<string, string>;

// The page keeps the figures of other servers, because `npm run bench` does not run them.
const readPeers = async () => {
  const page = await readFile(join(root, 'docs', 'benchmarks.md'), 'utf8');
  return page.slice(page.indexOf('## Beside other servers')).trimEnd();
};

/** Describes this machine and versions; `database` adds PostgreSQL's version and settings. */
export function describeEnvironment(database: Environment): Environment {
  return {
    Date: new Date().toISOString().slice(0, 10),
    Commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    Processor: `${cpus().length} cores, ${cpus()[0]?.model ?? 'unknown'}`,
    Memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    'Node.js': process.version,
    ...database,
  };
}

/** Writes `bench/out/<name>.json` and `.md`. Returns the Markdown text. */
export async function writeReport(name: string, environment: Environment, measured: Measured[]): Promise<string> {
  const folder = join(root, 'bench', 'out');
  await mkdir(folder, { recursive: true });
  const text = [
    '# Benchmarks',
    '',
    '`npm run bench` wrote this page. It takes about 5 minutes. `npm run bench -- quick` takes 90 s and prints',
    'a smaller table. `npm run bench -- http portals` runs single files of `bench/`.',
    '`npm run bench -- before --before ../other-folder` compares this code with that in another folder;',
    '`--rows P13,P16 --rounds 3` selects rows.',
    '',
    'A value is the median over rounds. The load, the service and the database share one machine. The load',
    'comes from wrk, and the notes say how much of a core it took.',
    '',
    'New ÷ old compares this code with that in another folder (`before`). Both run',
    'at the same time with default settings, each on a PostgreSQL of its own, which writes every commit to',
    'disk. They take turns in random order with the same requests: limit, idempotency and audit are on.',
    '',
    ...Object.entries(environment).map(([what, value]) => `- ${what}: ${value}`),
    '',
    '| Row | What | Goal | Measured | Range | Rounds | Notes |',
    '|---|---|---|---|---|---|---|',
    ...measured.map(asLine),
    '',
    await readPeers(),
    '',
  ].join('\n');
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ environment, measured }, null, 2)}\n`);
  await writeFile(join(folder, `${name}.md`), text);
  return text;
}

function asLine(row: Measured): string {
  const { id, what, unit, goal, value, min, max, rounds, note } = row;
  const isReached = !goal || ('atMost' in goal ? value <= goal.atMost : value >= goal.atLeast);
  const limit = !goal ? '' : 'atMost' in goal ? `≤ ${goal.atMost} ${unit}` : `≥ ${goal.atLeast} ${unit}`;
  const range = rounds > 1 ? `${digits(min)}–${digits(max)}` : '';
  const notes = [isReached ? '' : '**not reached**', note].filter(Boolean).join('; ');
  const cells = [id, what, limit, `${digits(value)} ${unit}`, range, rounds, notes];
  return `| ${cells.map((cell) => String(cell).trim()).join(' | ')} |`;
}

/** Three significant digits; more would suggest a precision that the measurement does not have. */
export const digits = (value: number) =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
