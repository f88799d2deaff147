import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '#harness/service.ts';

/** The file that collects the figures of a test run, one JSON object per line. */
export const figuresFile = join(root, 'e2e', '.out', 'figures.jsonl');

/** How many rounds a fault test runs: `few` usually, `many` with `npm run faults`. */
export function rounds(few: number, many: number): number {
  return process.env.FAULTS === 'full' ? many : few;
}

/**
 * Records figures of a test (rounds, losses, latencies) for the table at the end of a run. `row` is
 * the row of docs/reliability.md. Units are part of a figure's name.
 */
export async function recordFigures(row: string, figures: Record<string, number | string>): Promise<void> {
  await appendFile(figuresFile, `${JSON.stringify({ row, figures })}\n`);
}
