import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '#harness/service.ts';

/** Where the figures of a run are put together, one JSON object a line. */
export const figuresFile = join(root, 'e2e', '.out', 'figures.jsonl');

/** How many rounds a fault gets: few in every run of the tests, many in `npm run faults`. */
export function rounds(few: number, many: number): number {
  return process.env.FAULTS === 'full' ? many : few;
}

/** Notes what a fault did, for the table at the end of the run: rounds, losses, latencies with their unit in the name. */
export async function noteFigures(row: string, figures: Record<string, number | string>): Promise<void> {
  await appendFile(figuresFile, `${JSON.stringify({ row, figures })}\n`);
}

/** The value below which the given share (0 to 1) of these lie; 0 of none. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
