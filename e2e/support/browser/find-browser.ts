import { execFileSync } from 'node:child_process';
import { accessSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright';

const modules = join(import.meta.dirname, '..', '..', '..', 'node_modules');

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function findInPath(...names: string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable);
}

const fullNames = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Finds Debian's headless shell, which takes less than half of the processor time of a test. */
export const findHeadlessShell = (): string | undefined => findInPath('chromium-headless-shell');

/**
 * Finds a Chromium: CHROMIUM_PATH, an installed one, Playwright's, else that of @sparticuz/chromium. `isFull`: it has
 * windows and hidden tabs; the headless shell from npm has neither.
 */
export function findBrowser() {
  const given = process.env.CHROMIUM_PATH;
  if (given && !isExecutable(given)) throw new Error(`CHROMIUM_PATH: ${given} is not a program that can be run.`);
  const full = given || findInPath(...fullNames) || [chromium.executablePath()].find(isExecutable);
  return full ? { path: full, isFull: true } : { path: unpackBrowser(), isFull: false };
}

// Unpacks the program, and libraries and fonts for machines that have none, into the cache of the packages.
function unpackBrowser(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('No Chromium was found: install one, or set CHROMIUM_PATH to one.');
  const manifest = readFileSync(join(modules, '@sparticuz', 'chromium', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const cache = join(modules, '.cache');
  const folder = join(cache, `chromium-${version}`);
  const program = join(folder, 'start');
  if (isExecutable(program)) return program;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, 'chromium-'));
  // The package unpacks into TMPDIR, and libraries only on Amazon's system, which the variable names.
  const unpack = `await (await import('@sparticuz/chromium')).default.executablePath()`;
  const env = { ...process.env, TMPDIR: fresh, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' };
  execFileSync(process.execPath, ['--input-type=module', '--eval', unpack], { cwd: modules, env });
  writeFileSync(join(fresh, 'fonts', 'fonts.conf'), fontSettings);
  writeFileSync(join(fresh, 'start'), startScript, { mode: 0o755 });
  try {
    renameSync(fresh, folder);
  } catch {
    // Another process was faster.
    rmSync(fresh, { recursive: true });
  }
  return program;
}

// The system's own libraries and fonts come first.
const startScript = `#!/bin/sh
folder=$(dirname "$(readlink -f "$0")")
export LD_LIBRARY_PATH="$LD_LIBRARY_PATH:/usr/lib/x86_64-linux-gnu:/usr/lib64:/usr/lib:$folder/al2023/lib"
[ -e /etc/fonts/fonts.conf ] || export FONTCONFIG_FILE="$folder/fonts/fonts.conf"
exec "$folder/chromium" "$@"
`;

const fontSettings = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir prefix="relative">fonts</dir><cachedir prefix="xdg">fontconfig</cachedir></fontconfig>
`;
