import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { root } from '#harness/service.ts';

/**
 * One line of the table. `value` is what the goal is held against (a ratio is a median over `rounds`), in `unit`; `min` and `max` are over
 * the rounds. `note` says what a reader must know to believe it.
 */
export type Measured = {
  id: string;
  what: string;
  value: number;
  unit: '' | 'ms' | 's' | 'kB' | '% of a core' | 'requests/s' | 'pages' | 'statements';
  goal: { atMost: number } | { atLeast: number } | null;
  min: number;
  max: number;
  rounds: number;
  note?: string;
};

/** The middle of some figures, and their range, over as many rounds. */
export function summarise(values: number[]): Pick<Measured, 'value' | 'min' | 'max' | 'rounds'> {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const middle = ((sorted[Math.floor(half)] ?? Number.NaN) + (sorted[Math.ceil(half)] ?? Number.NaN)) / 2;
  return { value: middle, min: sorted[0] ?? Number.NaN, max: sorted.at(-1) ?? Number.NaN, rounds: values.length };
}

/** The value below which `share` (0…1) of some figures lie. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Whether a figure reached its goal; true where it has none. */
export function isReached({ value, goal }: Measured): boolean {
  if (!goal) return true;
  return 'atMost' in goal ? value <= goal.atMost : value >= goal.atLeast;
}

/** Writes `bench/out/<name>.json` and `.md` and answers the Markdown table. */
export async function report(name: string, durability: Record<string, string>, measured: Measured[]): Promise<string> {
  const machine = {
    processor: cpus()[0]?.model ?? '',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim(),
    day: new Date().toISOString().slice(0, 10),
    ...durability,
  };
  const rows = measured.map((one) => ({ ...one, ok: isReached(one) }));
  const folder = join(root, 'bench', 'out');
  await mkdir(folder, { recursive: true });
  const about = Object.entries(machine).map(([what, is]) => `${what} ${is}`);
  const table = [
    '| | What | Goal | Measured | min–max | Rounds | |',
    '|---|---|---|---|---|---|---|',
    ...rows.map(asLine),
    '',
    `${about.join(', ')}.`,
    '',
  ].join('\n');
  await writeFile(join(folder, `${name}.json`), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
  await writeFile(join(folder, `${name}.md`), table);
  return table;
}

function asLine(one: Measured & { ok: boolean }): string {
  const { id, what, unit, goal, value, min, max, rounds, ok, note } = one;
  const wanted = !goal ? '' : 'atMost' in goal ? `≤ ${goal.atMost}` : `≥ ${goal.atLeast}`;
  const reached = goal ? (ok ? 'reached' : '**not reached**') : '';
  const range = rounds > 1 ? `${digits(min)}–${digits(max)}` : '';
  const remark = [reached, note].filter(Boolean).join('; ');
  return `| ${id} | ${what} | ${wanted} ${goal ? unit : ''} | ${digits(value)} ${unit} | ${range} | ${rounds} | ${remark} |`;
}

// Three digits that mean something; never more than the measurement carries.
const digits = (value: number) =>
  Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
