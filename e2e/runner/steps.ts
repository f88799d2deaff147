import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { out } from '#e2e/runner/environment.ts';
import { countCheck } from '#e2e/runner/outcome.ts';
import { noteBrowser, noteVitest } from '#e2e/runner/reports.ts';
import { root } from '#harness/service.ts';

// `npm test -- browser keys` runs the browser tests whose file name contains "keys".
// "databases" is the long form of "next" and runs only when it is named.
const steps = [
  'types',
  'lint',
  'unit',
  'api',
  'server',
  'tenancy',
  'faults',
  'docs',
  'next',
  'browser',
  'fuzz',
  'secrets',
  'databases',
];
/** `npm run faults`: each fault gets all its rounds, and not only the few of every run. */
export const isFull = process.argv.includes('--full');
const words = process.argv.slice(2).filter((word) => word !== '--full');
const only = words.filter((word) => steps.includes(word));
const filters = words.filter((word) => !steps.includes(word));

/** Whether a step is to run. */
export const wanted = (step: string) => (only.length === 0 ? step !== 'databases' : only.includes(step));

/** Whether nothing was chosen: every step runs, with all its tests. */
export const isWhole = only.length + filters.length === 0;

/** Prints the name of the step that begins. */
export function announce(step: string): void {
  process.stdout.write(`\n── ${step} ──\n`);
}

async function run(command: string, args: string[], variables: Record<string, string> = {}): Promise<number> {
  const bin = join(root, 'node_modules', '.bin');
  const env = { ...process.env, ...variables, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const child = spawn(join(bin, command), args, { cwd: root, env, stdio: 'inherit' });
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}

/** Runs a program whose exit code says whether all is well. */
export async function check(step: string, command: string, args: string[]): Promise<void> {
  announce(step);
  countCheck((await run(command, args)) === 0, step);
}

/** Runs the tests of these projects, those of the chosen files. */
export async function runVitest(
  step: string,
  projects: string[],
  variables: Record<string, string>,
  files = filters,
): Promise<void> {
  announce(step);
  const report = join(out, `${step.replaceAll(' ', '-')}.json`);
  const args = ['run', ...projects.flatMap((project) => ['--project', project]), ...files];
  const code = await run(
    'vitest',
    [...args, '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    variables,
  );
  await noteVitest(step, report, code);
}

/** Runs the tests in a browser, those of the chosen files. */
export async function runBrowser(variables: Record<string, string>, files = filters): Promise<void> {
  announce('browser');
  const code = await run('playwright', ['test', '--config', 'e2e/playwright.config.ts', ...files], variables);
  await noteBrowser(code);
}
