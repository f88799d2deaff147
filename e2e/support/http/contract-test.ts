import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '#e2e/support/service/service.ts';

/** The contract test that every deployment offers as a file. */
export const contractTestFile = join(root, 'public', 'contract-test.mjs');

/** The output of a contract test, whole and by lines, and its exit code. */
export type Verdict = { code: number | null; lines: string[]; output: string };

/** Runs the contract test. The key is in its environment. */
export async function runContractTest(args: string[], key?: string): Promise<Verdict> {
  const { NOTIF_KEY: _, ...env } = process.env;
  const child = spawn(process.execPath, [contractTestFile, ...args], {
    env: key === undefined ? env : { ...env, NOTIF_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, lines: output.split('\n'), output };
}
