import { join } from 'node:path';
import { execa } from 'execa';
import { root } from '#e2e/support/service/service.ts';

/** The contract test that every deployment offers as a file. */
export const contractTestFile = join(root, 'public', 'contract-test.mjs');

/** The output of a contract test, whole and by lines, and its exit code. */
export type Verdict = { code: number | null; lines: string[]; output: string };

/** Runs the contract test. The key is in its environment. */
export async function runContractTest(args: string[], key?: string): Promise<Verdict> {
  const { exitCode = null, all } = await execa(process.execPath, [contractTestFile, ...args], {
    env: { NOTIF_KEY: key },
    all: true,
    reject: false,
  });
  return { code: exitCode, lines: all.split('\n'), output: all };
}
