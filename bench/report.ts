import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Summary } from '#e2e/support/figures.ts';
import { root } from '#e2e/support/service/service.ts';

/**
 * A measured value. `id` groups rows (P1, P2, …); `value` is compared with `goal`, both in `unit`.
 */
export type Measured = Summary & {
  id: string;
  what: string;
  unit: '' | 'ms' | 's' | 'kB' | '% of a core' | 'requests/s' | 'pages';
  goal: { atMost: number } | { atLeast: number } | null;
  note?: string;
};

/** What the values depend on: the machine, the versions and the durability settings, by name. */
export type Environment = Record<string, string>;

// Facts of a day: `npm run bench` does not run the other servers.
const peers = `## Beside other servers

Measured in 2026-11 on two quiet cores: version 1.1 of this service, ntfy 2.13 and Gotify 3 on SQLite, Gotify 3 on
PostgreSQL, Mercure 0.24 on Bolt, Centrifugo 6.9 on PostgreSQL. Each server was durable: one fsync for each commit.
One message to one recipient, keep-alive, medians of 5 rounds in random order. This service does more for each
send: an exact shared limit and an audit entry.

| | This service | ntfy | Gotify, SQLite | Gotify, PostgreSQL | Mercure | Centrifugo |
|---|---|---|---|---|---|---|
| sends/s, 1 connection | 1,033 | 2,148 | 2,764 | 1,593 | 2,394 | 1,252 |
| p50 of a send, 1 connection, ms | 0.85 | 0.43 | 0.34 | 0.61 | 0.38 | 0.60 |
| sends/s, 8 connections | 3,635 | 2,064 | 3,164 | 1,317 | 2,950 | 1,972 |
| sends/s, 32 connections | 6,119 | 2,145 | 3,182 | 5,085 | 3,193 | 2,647 |
| CPU per 1,000 sends at 32 connections, ms | 229 | 492 | 291 | 291 | 260 | 468 |
| idle polls/s, 8 connections | 38,880 | 5,434 | 7,474 | 1,889 | – | – |
| last of 1,000 open subscribers, p50 / p99, ms | 12–14 / 20–29 | 11 / 35 | 11 / 27 | – | 12 / 15 | 13 / 29 |
| last of 5,000 open subscribers, p50 / p99, ms | 42 / 253 | 50 / 69 | 50 / 102 | – | 52 / 122 | 54 / 99 |
| memory with 5,000 open, all processes (PSS), MB | 192–330 | 394 | 164 | – | 425 | 401 |
| opening 5,000 streams of new people, s | 5.6 | 0.4 | 0.3 | – | 0.3 | 0.3 |
| idle memory, all processes (PSS), MB | 204 | 40 | 31 | 64 | 45 | 83 |
| start to the first answered send, s | 0.34 | 0.04 | 0.09 | 0.21 | 0.02 | 0.05 |`.split('\n');

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
    '`npm run bench` wrote this page. It takes about 30 minutes. `npm run bench -- quick` takes 90 s and prints',
    'a smaller table. `npm run bench -- http portals` runs single files of `bench/`.',
    '`npm run bench -- before --before ../other-folder` compares this code with that in another folder;',
    '`--rows P13,P16 --rounds 3` selects rows.',
    '',
    'The floor is a bare `node:http` server with the same SQL statements and response headers, and nothing',
    'else. A ratio is the median over rounds in which both servers take turns. The load, the service and the',
    'database share one machine. The load comes from wrk, and the notes say how much of a core it took.',
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
    ...peers,
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
  const range = rounds > 1 ? `${round(min)}–${round(max)}` : '';
  const notes = [isReached ? '' : '**not reached**', note].filter(Boolean).join('; ');
  const cells = [id, what, limit, `${round(value)} ${unit}`, range, rounds, notes];
  return `| ${cells.map((cell) => String(cell).trim()).join(' | ')} |`;
}

// Three significant digits; more would suggest a precision that the measurement does not have.
const round = (value: number) =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
