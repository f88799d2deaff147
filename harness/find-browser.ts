import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findInPath(): string | undefined {
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

const runs = (command: string, args: string[]) =>
  spawnSync(command, args, { stdio: 'ignore', timeout: 300_000 }).status === 0;

/**
 * A Chromium to test with: CHROMIUM_PATH, else an installed one, else Playwright's own (downloaded when it can
 * be), else the system's package when that can be installed. Throws a sentence that says what to do.
 */
export function findBrowser(): string {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (isExecutable(given)) return given;
    throw new Error(`CHROMIUM_PATH: ${given} is not a program that can be run.`);
  }
  const installed = findInPath();
  if (installed) return installed;
  const own = chromium.executablePath();
  if (isExecutable(own)) return own;
  if (runs('npx', ['playwright', 'install', 'chromium']) && isExecutable(own)) return own;
  if (runs('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])) {
    const packaged = findInPath();
    if (packaged) return packaged;
  }
  throw new Error('No Chromium was found and none could be installed: install Chromium, or set CHROMIUM_PATH to one.');
}
