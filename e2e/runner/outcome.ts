import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { reportFolder } from '#e2e/runner/environment.ts';
import { describeInstall, isOptional, type Program } from '#e2e/support/programs.ts';
import { endedFile } from '#e2e/support/service/service.ts';

export const count = { passed: 0, failed: 0, skipped: 0 };

// What is printed again at the end of the run.
const notes: string[] = [];

/** Counts a check as a test, and notes its messages when it failed. */
export function countCheck(passed: boolean, ...found: string[]): void {
  count[passed ? 'passed' : 'failed'] += 1;
  if (!passed) notes.push(...found.map((message) => `failed: ${message}`));
}

const outcomeOf: Record<string, keyof typeof count> = { flaky: 'passed', 'did not run': 'failed' };

/** Adds the numbers that Vitest or Playwright printed at its end. */
export function countTests(step: string, code: number, printed: string): void {
  const output = stripVTControlCharacters(printed);
  const failedBefore = count.failed;
  // Vitest: `Tests  1 failed | 8 passed (9)`. Playwright: a line each, `  8 passed (1.2m)`.
  const summaries = output.match(/^ +(?:Tests .*|\d+ (?:passed|failed|flaky|skipped|did not run)\b.*)$/gm) ?? [];
  for (const [, number, word = ''] of summaries.join(' ').matchAll(/(\d+) (passed|failed|flaky|skipped|did not run)/g))
    count[outcomeOf[word] ?? (word as keyof typeof count)] += Number(number);
  // The error was outside of a test, or the program ended early.
  if (code !== 0 && count.failed === failedBefore) count.failed += 1;
  if (code !== 0) notes.push(`failed: ${step}, exit code ${code}`, ...(output.match(/^ *(?:FAIL|✘) .*$/gm) ?? []));
  // Tests that passed at the second try, which CI allows: defects to find.
  notes.push(...(output.match(/^(?:.*✓.*\(retry [x#]|first try: ).*$/gm) ?? []));
}

/** The file in which tests note the programs that they miss (`lacks`). */
export const missingFile = join(reportFolder, 'missing-programs.txt');

/** Prints the programs that tests missed, and how to install them. In CI they are a failure, but for optional ones. */
export async function checkPrograms(): Promise<void> {
  const lines = (await readFile(missingFile, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const missing = [...new Set(lines)].sort() as Program[];
  if (missing.length === 0) return;
  const told = `missing programs: ${missing.join(', ')}\n    to install them: ${describeInstall(missing)}`;
  if (process.env.CI && !missing.every(isOptional)) countCheck(false, told);
  else process.stdout.write(`\nTests were skipped, ${told}\n`);
}

/** Prints the failures, the duration and, as the last line, the numbers of tests by outcome. */
export async function printOutcome(started: number): Promise<void> {
  const ended = await readFile(endedFile, 'utf8').catch(() => '');
  if (notes.length > 0 && ended !== '')
    process.stdout.write(`\nservices that ended by themselves:\n${ended.slice(0, 8000)}`);
  for (const note of notes) process.stdout.write(`\n${note}\n`);
  const { passed, failed, skipped } = count;
  process.stdout.write(`\n${Math.round((Date.now() - started) / 1000)} s\n`);
  process.stdout.write(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
}
