import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { EnvError } from '#platform/config/checks.ts';

/** The settings that are secrets. NAME_FILE gives each as the path of a file. */
export const secretSettings = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_OWNER_URL',
  'AUTH_SECRET',
  'AUTH_SECRET_PREVIOUS',
  'OIDC_PROVIDERS',
  'UPSTASH_REDIS_REST_TOKEN',
];

type Variables = Record<string, string | undefined>;

/**
 * Reads the settings that are unset or empty: from SETTINGS_FILE (default: `.env`, if it exists), then the secrets from
 * their files (NAME_FILE). `openFile`: the file, when it holds secrets and everyone on this machine can read it.
 */
export function readSettings(environment: Variables): { variables: Variables; openFile: string | undefined } {
  const path = environment.SETTINGS_FILE || '.env';
  const isOptional = !environment.SETTINGS_FILE;
  const inFile = Object.entries(parseLines(path, readText(`${path}:`, path, isOptional)));
  const open = Object.fromEntries(inFile.filter(([name, value]) => value !== '' && !environment[name]));
  if (open.NODE_EXTRA_CA_CERTS)
    throw new EnvError(
      `NODE_EXTRA_CA_CERTS: works in the environment only, not in ${path}; for a provider set "ca" in OIDC_PROVIDERS.`,
    );
  const holdsSecrets = inFile.some(([name, value]) => value !== '' && secretSettings.includes(name));
  return {
    variables: { ...open, ...readSecrets({ ...environment, ...open }) },
    openFile: holdsSecrets && canEveryoneRead(path) ? path : undefined,
  };
}

function readSecrets(environment: Variables): Variables {
  const variables: Variables = {};
  for (const name of secretSettings) {
    const path = environment[`${name}_FILE`];
    if (!path) continue;
    if (environment[name]) throw new EnvError(`${name}: is set, and ${name}_FILE too; set only one of them.`);
    const secret = readText(`${name}_FILE: ${path}`, path).replace(/\r?\n$/, '');
    if (secret === '') throw new EnvError(`${name}_FILE: ${path} is empty.`);
    variables[name] = secret;
  }
  return variables;
}

const unreadable: Record<string, string> = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder',
  EACCES: 'cannot be read by this user',
};

function readText(what: string, path: string, isOptional = false): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (isOptional && code === 'ENOENT') return '';
    throw new EnvError(`${what} ${unreadable[code] ?? `cannot be read (${code})`}.`);
  }
}

// Windows has no such bit.
const canEveryoneRead = (path: string): boolean =>
  process.platform !== 'win32' && (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) % 0o10 >= 0o4;

const assignment = /^(?:export\s+)?[A-Za-z_]\w*\s*=\s*(?<value>.*)$/;
const quotedValue = /^(?:'[^']*'|"[^"]*"|`[^`]*`)\s*(?:#.*)?$/;

// Line by line: `parseEnv` skips what it does not understand, and reads the next line for `NAME= ` (Node 24.21).
function parseLines(path: string, text: string): Variables {
  const variables: Variables = {};
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  for (const [index, rawLine] of lines.entries()) {
    const line = rawLine.trim();
    if (line === '' || line.startsWith('#')) continue;
    const problem = findProblem(line);
    if (problem) throw new EnvError(`${path}: line ${index + 1} ${problem}.`);
    Object.assign(variables, parseEnv(line));
  }
  return variables;
}

function findProblem(line: string): string | undefined {
  const value = assignment.exec(line)?.groups?.value;
  if (value === undefined) return 'must be NAME=value, or begin with #';
  if (/^['"`]/.test(value)) return quotedValue.test(value) ? undefined : 'has a quote that does not end the value';
  // `parseEnv` takes it for the begin of a comment.
  return /\S#/.test(value) ? 'has a # in its value; put the value in quotes' : undefined;
}
