import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { afterAll } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { type PrintedBlock, printed } from '#e2e/support/http/printed.ts';
import { programPath } from '#e2e/support/programs.ts';
import { type Failure, startFailingProxy } from '#e2e/support/proxies/proxy.ts';
import { listAudit } from '#server/audit/list.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { listKeys, revokeKey } from '#server/keys/keys.ts';
import type { Employee } from '#server/principals.ts';

type Variables = Record<string, string>;

const goCache = process.env.GOCACHE ?? join(homedir(), '.cache', 'go-build');

const homes: string[] = [];
afterAll(() => Promise.all(homes.map((home) => rm(home, { recursive: true, force: true, maxRetries: 3 }))));

/** Makes who reads a recipe: a company with two employees, a key in NOTIF_KEY, and a home folder for this file. */
export async function makeReader(keyName = 'resep') {
  const company = await makeCompany();
  const employees = [await company.hire('Karyawan Satu'), await company.hire('Karyawan Dua')] as const;
  const key = await company.newKey(keyName);
  const home = await mkdtemp(join(tmpdir(), 'notif-reader-'));
  homes.push(home);
  return {
    company,
    key,
    home,
    userId: String(employees[0].employeeId),
    /** Keeps a text under its name in the home folder, executable where asked. */
    keep: async (file: string, text: string, mode = 0o600) => {
      const path = join(home, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      await chmod(path, mode);
    },
    /** Runs a line in a shell there, with nothing in the environment but NOTIF_KEY and these variables. */
    run: (line: string, variables: Variables = {}) =>
      runLine(line, home, { PATH: programPath, HOME: home, GOCACHE: goCache, NOTIF_KEY: key, ...variables }),
    /** The titles that the two employees received, oldest first, and the audit entries of these sends. */
    arrived: async () => {
      const sends = (await listAudit(company.owner)).entries.filter(({ action }) => action === 'notification.send');
      const audited = sends.map(({ actorName, details }) => ({ key: actorName, reach: details.reach })).reverse();
      return { titles: [await titlesOf(employees[0]), await titlesOf(employees[1])], audited };
    },
    revoke: async () => {
      const [summary] = await listKeys(company.owner);
      await revokeKey(company.owner, summary?.id ?? 0);
    },
  };
}

async function titlesOf(employee: Employee): Promise<string[]> {
  return (await listInbox(employee)).items.map(({ title }) => title).reverse();
}

async function runLine(line: string, cwd: string, env: Variables) {
  const options = { cwd, env, extendEnv: false, reject: false, stdin: 'ignore', stripFinalNewline: false } as const;
  const { exitCode = null, stdout, stderr } = await execa('sh', ['-c', line], options);
  return { code: exitCode, out: stdout, err: stderr };
}

/** What the audit log says of sends with the key `resep` that reached so many. */
export const audited = (...reached: number[]) => reached.map((reach) => ({ key: 'resep', reach }));

export const sentTo = (reach: number): string => `{"ok":true,"terkirim":${reach}}`;

/** The block of a recipe that is printed under this name, or the first one that holds this text. */
export async function printedBlock(recipe: string, wanted: string): Promise<PrintedBlock> {
  const blocks = await printed(`recipes/${recipe}`, 'id');
  const found = blocks.find(({ file }) => file === wanted) ?? blocks.find(({ text }) => text.includes(wanted));
  if (!found) throw new Error(`/docs/recipes/${recipe} prints no ${wanted}.`);
  return found;
}

/** A printed program that calls a failing proxy instead of the service. Only the address differs from the page. */
export async function throughProxy(text: string, failures: Failure[] = ['answer lost', 503, 429]) {
  const proxy = await startFailingProxy(baseUrl, failures);
  if (!text.includes(baseUrl)) throw new Error(`The program does not have the address ${baseUrl}.`);
  return { text: text.replaceAll(baseUrl, proxy.url), proxy };
}
