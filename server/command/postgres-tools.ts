import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CommandError } from '#server/command/command.ts';
import { programEnv, programFolders } from '#server/env.ts';

const run = promisify(execFile);

/** The programs that a backup and a restore use. */
export type ToolName = 'pg_dump' | 'pg_restore';

/** One of PostgreSQL's programs and its main version. */
export type Tool = { path: string; major: number; version: string };

const debianFolder = '/usr/lib/postgresql';

// The package's own PostgreSQL, when it was installed with one.
const ownFolder = join(import.meta.dirname, '..', '..', 'postgres', 'bin');

function listFolders(): string[] {
  const versions = (() => {
    try {
      return readdirSync(debianFolder).sort((a, b) => Number(a) - Number(b));
    } catch {
      return [];
    }
  })();
  return [...programFolders(), ownFolder, ...versions.map((version) => join(debianFolder, version, 'bin'))];
}

/** Finds a program of PostgreSQL in PGBIN or PATH, in the package, and where Debian puts it. */
export async function findTools(name: ToolName): Promise<Tool[]> {
  const found = await Promise.all(
    listFolders().map(async (folder) => {
      const path = join(folder, name);
      const { stdout } = await run(path, ['--version']).catch(() => ({ stdout: '' }));
      const version = / (\d+(?:\.\d+)*)/.exec(stdout)?.[1] ?? '';
      return { path, version, major: Number(version.split('.')[0]) };
    }),
  );
  return found.filter(({ version }) => version !== '');
}

/**
 * Chooses a program of a main version between `from` and `to`: the oldest, or the newest. Throws
 * `CommandError` that says what to install.
 */
export async function requireTool(
  name: ToolName,
  from: number,
  to = Number.POSITIVE_INFINITY,
  prefer: 'oldest' | 'newest' = 'oldest',
): Promise<Tool> {
  const found = await findTools(name);
  const suitable = found.filter(({ major }) => major >= from && major <= to).sort((a, b) => a.major - b.major);
  const best = suitable.at(prefer === 'oldest' ? 0 : -1);
  if (best) return best;
  const wanted = to === Number.POSITIVE_INFINITY ? `${from} or newer` : from === to ? `${from}` : `${from} to ${to}`;
  const have =
    found.length === 0
      ? 'None was found in PATH.'
      : `Found only ${found.map(({ version, path }) => `${version} (${path})`).join(', ')}.`;
  throw new CommandError(
    'tool-missing',
    `This needs ${name} ${wanted}. ${have}
Install it, on Debian and Ubuntu with: apt-get install postgresql-client-${from}
(https://www.postgresql.org/download/ has packages of all versions), or set PGBIN to the folder that has it.`,
  );
}

// What libpq knows too. All else in our connection strings is for this project's driver.
const libpqParameters = new Set([
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'channel_binding',
  'target_session_attrs',
]);

/**
 * Splits a connection string for a program of PostgreSQL: the address without the password, which
 * everybody on the machine may see, and the environment with it.
 */
export function forLibpq(url: string): { address: string; variables: Record<string, string> } {
  // Several hosts are no URL.
  const [, start = '', credentials = '', rest = ''] = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?(.*)$/s.exec(url) ?? [];
  const [user = '', ...password] = credentials.split(':');
  const [path = '', query = ''] = rest.split(/\?(.*)/s);
  const given = new URLSearchParams(query);
  const ssl = given.get('ssl');
  const kept = new URLSearchParams([...given].filter(([name]) => libpqParameters.has(name)));
  if (ssl !== null && !kept.has('sslmode')) kept.set('sslmode', ssl === 'true' ? 'require' : ssl);
  // libpq would look for a file; the driver takes the system's certificates.
  if (kept.get('sslmode') === 'verify-full' && !kept.has('sslrootcert')) kept.set('sslrootcert', 'system');
  const address = `${start}${user ? `${user}@` : ''}${path}${kept.size > 0 ? `?${kept}` : ''}`;
  return { address, variables: password.length > 0 ? { PGPASSWORD: decodeURIComponent(password.join(':')) } : {} };
}

/** A program that runs; `errors` returns the last lines that it printed to standard error. */
export type Running = { child: ChildProcess; errors: () => string; ended: Promise<void> };

const keptErrorCharacters = 4000;

/**
 * Runs a program of PostgreSQL. Its standard output is a pipe with `isPiped`, else it is thrown away.
 * `ended` rejects with what it printed when it fails, and with the signal's reason when the signal
 * stopped it.
 */
export function runTool(
  tool: Tool,
  args: string[],
  {
    variables = {},
    signal,
    isPiped = false,
  }: { variables?: Record<string, string>; signal: AbortSignal; isPiped?: boolean },
): Running {
  signal.throwIfAborted();
  const child = spawn(tool.path, args, {
    env: programEnv(variables),
    stdio: ['ignore', isPiped ? 'pipe' : 'ignore', 'pipe'],
  });
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    printed = (printed + part).slice(-keptErrorCharacters);
  });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop);
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop);
      if (signal.aborted) reject(signal.reason);
      else if (code === 0) resolve();
      else reject(new CommandError('tool-failed', `${tool.path} failed:\n${printed.trim()}`));
    });
  });
  // Whoever waits for the output first must not miss it.
  ended.catch(() => {});
  return { child, errors: () => printed, ended };
}
