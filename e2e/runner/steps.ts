import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { countCheck, countTests } from '#e2e/runner/outcome.ts';
import { root } from '#e2e/support/service/service.ts';

// `npm test -- browser keys` runs the browser tests whose file name contains "keys".
const withoutService = ['types', 'lint'];
// `npm test`: steps that need only programs of npm.
const everyday = [...withoutService, 'unit', 'api', 'browser', 'secrets'];
// Of the tests in a browser, those of every day: sign-in, keys, first sends, rings.
const everydayPages = ['first-minutes', 'sign-in.spec', 'owner/keys.spec', 'pop-ups'];
// `npm run test:all`: what a change may break. `.ci/run` calls it.
const ofChanges = [...everyday, 'server', 'tenancy', 'docs', 'workflows', 'faults', 'browsers'];
// `npm run test:release`: what a release needs besides. Of steps that both have, it runs the files `*.release.*`.
const ofReleases = ['install', 'package', 'clients', 'next', 'providers', 'faults', 'browser', 'browsers', 'secrets'];
const steps = [...new Set([...ofChanges, ...ofReleases])];
/** `npm run faults`: each fault runs all its rounds instead of a few. */
export const isFull = process.argv.includes('--full');
const isRelease = process.argv.includes('--release');
const isEveryday = !isRelease && !process.argv.includes('--all');
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const only = words.filter((word) => steps.includes(word));
const filters = words.filter((word) => !steps.includes(word));
const chosen = only.length > 0 ? only : isRelease ? ofReleases : isEveryday ? everyday : ofChanges;

export const wanted = (step: string) => chosen.includes(step);

/** Whether nothing was chosen: the steps run beside each other, and print when they end. */
export const isWhole = only.length + filters.length === 0;

/** Tells Vitest and Playwright which files to run. Files that were chosen run in every case. */
const lane = { LANE: isWhole && !isFull ? (isRelease ? 'release' : 'change') : '' };

const browserFiles = isWhole && isEveryday ? everydayPages : filters;

export const needsService = chosen.some((step) => !withoutService.includes(step));

// The steps that run, and the one that began last.
const running = new Set<string>();
let begun = 'start';
const progressMs = 15_000;

export function announce(step: string): void {
  begun = step;
  process.stdout.write(`\n── ${step} ──\n`);
}

// In a whole run and in CI the output of a step is kept until it ends.
const isKept = isWhole || process.env.CI !== undefined;

/** Prints the running steps every 15 s, unless they print themselves. */
export function printProgress(started: number): void {
  const print = () => {
    const steps = running.size > 0 ? [...running].join(', ') : begun;
    process.stdout.write(`${Math.round((Date.now() - started) / 1000)} s  ${steps}\n`);
  };
  if (isKept) setInterval(print, progressMs);
}

// The longest step takes half an hour beside the others. One that hangs must end while CI still prints its output.
const maxStepMs = 50 * 60_000;
// A program that a test left behind may keep the output of a step open after its end.
const lastOutputMs = 5000;

/** Resolves with the exit code of a step's program, or with null if it had to be ended after `maxStepMs`. */
async function endOf(child: ChildProcess): Promise<number | null> {
  const deadline = isFull ? undefined : setTimeout(() => child.kill('SIGKILL'), maxStepMs);
  const closed = once(child, 'close');
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(deadline);
  await Promise.race([closed, delay(lastOutputMs, undefined, { ref: false })]);
  return signal === 'SIGKILL' ? null : (code ?? 1);
}

/** Runs a program of a step. Output that is kept is printed at its end and returned. */
async function run(step: string, command: string, args: string[], variables: Record<string, string> = {}) {
  const bin = join(root, 'node_modules', '.bin');
  const env = { ...process.env, ...lane, ...variables, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const started = Date.now();
  if (isKept) process.stdout.write(`${step} begins\n`);
  else announce(step);
  running.add(step);
  const stdio: StdioOptions = isKept ? ['ignore', 'pipe', 'pipe'] : 'inherit';
  const child = spawn(join(bin, command), args, { cwd: root, env, stdio });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => printed.push(part));
  const code = await endOf(child);
  running.delete(step);
  if (code === null) printed.push(Buffer.from(`\n${step} did not end within ${maxStepMs / 60_000} minutes\n`));
  const output = Buffer.concat(printed).toString();
  if (isKept) announce(`${step}, ${Math.round((Date.now() - started) / 1000)} s`);
  process.stdout.write(output);
  return { code: code ?? 1, output };
}

/** Runs a program whose exit code says whether all is well. */
export async function check(step: string, command: string, args: string[]): Promise<void> {
  countCheck((await run(step, command, args)).code === 0, step);
}

export const runVitest = (step: string, projects: string[], variables: Record<string, string>, files = filters) =>
  runTests(step, 'vitest', ['run', ...projects.flatMap((project) => ['--project', project]), ...files], variables);

export const runBrowser = (step: 'browser' | 'providers', variables: Record<string, string>) =>
  runTests(step, 'playwright', ['test', '--config', 'e2e/playwright.config.ts', ...browserFiles], {
    ...variables,
    BROWSER_STEP: step,
  });

async function runTests(step: string, command: string, args: string[], variables: Record<string, string>) {
  const { code, output } = await run(step, command, args, variables);
  if (output === '') countCheck(code === 0, step);
  else countTests(step, code, output);
}
