import { readFileSync, statSync } from 'node:fs';
import { parseEnv } from 'node:util';

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

const defaultFile = '.env';

type Variables = Record<string, string | undefined>;

type ReadSettings = { variables: Record<string, string>; openFile: string | undefined };

type SettingsProblem = { problem: string };

/**
 * Reads the settings that the environment `given` leaves open: first from the file SETTINGS_FILE
 * (default: `.env` in the working directory, if it exists), then the secrets from their files
 * (NAME_FILE). An empty variable counts as unset.
 */
export function readSettings(given: Variables): ReadSettings | SettingsProblem {
  const path = given.SETTINGS_FILE || defaultFile;
  const text = readText(path);
  const isAbsent = text === absent && !given.SETTINGS_FILE;
  if (typeof text !== 'string' && !isAbsent) return { problem: `${path}: ${text.problem}.` };
  const parsed = parseLines(typeof text === 'string' ? text : '');
  if ('problem' in parsed) return { problem: `${path}: ${parsed.problem}.` };
  const inFile = Object.entries(parsed.variables).filter(([, value]) => value !== '');
  const open = inFile.filter(([name]) => !given[name]);
  const fromSecrets = readSecrets({ ...given, ...Object.fromEntries(open) });
  if ('problem' in fromSecrets) return fromSecrets;
  const holdsSecrets = inFile.some(([name]) => secretSettings.includes(name));
  return {
    variables: { ...Object.fromEntries(open), ...fromSecrets.variables },
    openFile: holdsSecrets && canEveryoneRead(path) ? path : undefined,
  };
}

function readSecrets(given: Variables): { variables: Record<string, string> } | SettingsProblem {
  const variables: Record<string, string> = {};
  for (const name of secretSettings) {
    const path = given[`${name}_FILE`];
    if (!path) continue;
    if (given[name]) return { problem: `${name}: is set, and ${name}_FILE too; set only one of them.` };
    const text = readText(path);
    if (typeof text !== 'string') return { problem: `${name}_FILE: ${path} ${text.problem}.` };
    const secret = text.replace(/\r?\n$/, '');
    if (secret === '') return { problem: `${name}_FILE: ${path} is empty.` };
    variables[name] = secret;
  }
  return { variables };
}

const absent = { problem: 'does not exist' };

function readText(path: string): string | SettingsProblem {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') return absent;
    if (code === 'EISDIR') return { problem: 'is a folder' };
    return { problem: code === 'EACCES' ? 'cannot be read by this user' : `cannot be read (${code})` };
  }
}

// Windows has no such bit.
function canEveryoneRead(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) % 0o10 >= 0o4;
}

const assignment = /^(?:export\s+)?[A-Za-z_]\w*\s*=\s*(?<value>.*)$/;
const quotedValue = /^(?:'[^']*'|"[^"]*"|`[^`]*`)\s*(?:#.*)?$/;

// Line by line: `parseEnv` skips lines that it does not understand, and takes the next line for the
// value of `NAME= ` (Node 24.21).
function parseLines(text: string): { variables: Record<string, string> } | SettingsProblem {
  const variables: Record<string, string> = {};
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  for (const [at, given] of lines.entries()) {
    const line = given.trim();
    if (line === '' || line.startsWith('#')) continue;
    const problem = findProblem(line);
    if (problem) return { problem: `line ${at + 1} ${problem}` };
    Object.assign(variables, parseEnv(line));
  }
  return { variables };
}

function findProblem(line: string): string | undefined {
  const value = assignment.exec(line)?.groups?.value;
  if (value === undefined) return 'must be NAME=value, or begin with #';
  if (/^['"`]/.test(value)) return quotedValue.test(value) ? undefined : 'has a quote that does not end the value';
  // `parseEnv` takes it for the begin of a comment.
  return /\S#/.test(value) ? 'has a # in its value; put the value in quotes' : undefined;
}
