import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import postgres from 'postgres';
import { isKey } from '#server/keys/keys.ts';

// The forms of API keys and of session cookies (the head of every token of the sign-in library).
const shapes = 'jss_[0-9A-Za-z]{64}|eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0\\.\\.[0-9A-Za-z_-]{16}';

/** Searches folders for the noted secrets, in all encodings, and for texts in the form of a key or a cookie. */
export async function findSecrets(secretsFile: string, folders: string[]) {
  const lines = (await readFile(secretsFile, 'utf8').catch(() => '')).split('\n').filter(Boolean);
  const secrets = new Set(lines.map((line) => JSON.parse(line) as string));
  const needles = new Set([...secrets].flatMap(formsOf));
  const needleFile = `${secretsFile}.forms`;
  await writeFile(needleFile, [...needles].join('\n'));
  const listed = needles.size === 0 ? [] : await grep(['-F', '-f', needleFile], folders);
  const shaped = await grep(['-E', '-e', shapes], folders);
  return [...listed, ...shaped.filter(({ text }) => !text.startsWith('jss_') || isKey(text))];
}

// Playwright's description of the page of a failed test, with the password that the test typed.
const picturedPage = 'error-context.md';

const shortestForm = 16;

function formsOf(secret: string): string[] {
  const bare = secret.replace(/^jss_/, '');
  const forms = [secret, bare, encodeURIComponent(secret), new URLSearchParams({ secret }).toString().slice(7)];
  for (const one of [secret, bare]) forms.push(...binaryForms(Buffer.from(one)));
  return forms.filter((form) => form.length >= shortestForm && !form.includes('\n'));
}

// Base64 of a text depends on its offset in a group of three bytes and, at its ends, on its neighbours.
function binaryForms(bytes: Buffer): string[] {
  const forms = [bytes.toString('hex'), bytes.toString('hex').toUpperCase()];
  for (const before of [0, 1, 2])
    for (const encoding of ['base64', 'base64url'] as const) {
      const written = Buffer.concat([Buffer.alloc(before), bytes])
        .toString(encoding)
        .replace(/=+$/, '');
      forms.push(written.slice(before + 1, -1));
    }
  return forms;
}

async function grep(pattern: string[], folders: string[]) {
  const args = ['-raoHZ', `--exclude=${picturedPage}`, ...pattern, ...folders];
  const { stdout, exitCode } = await execa('grep', args, { env: { LC_ALL: 'C' }, reject: false });
  // Exit code 1: no match.
  if (exitCode !== 0 && exitCode !== 1) throw new Error(`grep ended with ${exitCode}`);
  const lines = stdout.split('\n').filter(Boolean);
  return lines.map((line) => line.split('\0')).map(([file = '', text = '']) => ({ file, text }));
}

export async function dumpAll(adminUrl: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const databases = await admin<{ name: string }[]>`select datname as name from pg_database where not datistemplate`;
  await admin.end();
  for (const { name } of databases) await dump(adminUrl.replace(/\/[^/]*$/, `/${name}`), join(folder, name));
}

async function dump(url: string, prefix: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`;
  for (const { name } of tables) {
    const file = `${prefix}.${name}.txt`;
    await writeFile(file, '');
    for await (const rows of sql.unsafe(`select one::text as row from ${name} one`).cursor(1000))
      await appendFile(file, rows.map(({ row }) => `${row}\n`).join(''));
  }
  await sql.end();
}
