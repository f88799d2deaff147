import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, expect, onTestFinished, vi } from 'vitest';
import { withConnection } from '#db/driver/connect.ts';
import { migrate } from '#db/migrate.ts';
import { openSessionOf } from '#e2e/support/data/owners.ts';
import { test } from '#e2e/support/data/test.ts';
import { type FreshDatabase, makeDatabase } from '#e2e/support/service/databases.ts';
import { root, startService } from '#e2e/support/service/service.ts';
import { authenticateSession } from '#server/accounts/sign-in/authenticate.ts';

const secret = 'a secret from a file, and from nothing else';

const folder = await mkdtemp(join(tmpdir(), 'notif-settings-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function makeEmpty(): Promise<FreshDatabase> {
  const database = await makeDatabase();
  onTestFinished(database.drop);
  return database;
}

async function write(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode });
  return path;
}

test('a start reads .env and secrets from files, and warns when everyone can read them', async () => {
  const { url, ownerUrl: owner } = await makeEmpty();
  const secretFile = await write('secret', `${secret}\n`);
  const text = `DATABASE_URL='${url}'\nDATABASE_OWNER_URL='${owner}'\nAUTH_SECRET_FILE=${secretFile}\nPORT=1\n`;
  await write('.env', text, 0o644);
  const own = { SETTINGS_FILE: undefined, HOST: '127.0.0.1' };
  const service = await startService(own, [join(root, 'server', 'main.js')], undefined, undefined, folder);
  expect(service.process.exitCode, service.output()).toBeNull();
  expect((await fetch(`${service.url}/api/v1/notif.php?aksi=ping`)).status).toBe(401);
  const warnings = service.output().match(/^\{.*everyone on this machine can read the settings file.*$/gm);
  expect(warnings).toHaveLength(1);
  expect(JSON.parse(warnings?.[0] ?? '')).toMatchObject({ level: 40, file: '.env' });
  await service.stop();
});

test('without the owner role the service starts only on a migrated schema (T17)', async () => {
  const { url, ownerUrl } = await makeEmpty();
  const settings = { DATABASE_URL: url, DATABASE_OWNER_URL: undefined, AUTH_SECRET: secret, HOST: '127.0.0.1' };
  const refused = await startService(settings);
  expect(refused.process.exitCode).toBe(1);
  expect(refused.output()).toMatch(/^DATABASE_URL: the schema is not the newest and this role may not change .+\.\n$/);
  const migrate = (owner: string) =>
    runProgram(['run', '--silent', 'migrate'], { DATABASE_URL: url, DATABASE_OWNER_URL: owner }, 'npm');
  expect(await migrate(ownerUrl.replace(/@[^:]+/, '@database.invalid'))).toEqual({
    code: 3,
    output: expect.stringMatching(/^The database at database\.invalid:\d+ is out of reach \(E[A-Z_]+\)\. .*\n$/),
  });
  expect(await migrate(ownerUrl.replace(/:[^:@]+@/, ':wrong@'))).toEqual({
    code: 1,
    output: expect.stringMatching(/^DATABASE_OWNER_URL: password authentication failed .*\.\n$/),
  });
  expect(await migrate(ownerUrl)).toEqual({ code: 0, output: expect.stringMatching(/^Migrated: .*\.\n$/) });
  const service = await startService(settings);
  expect((await fetch(`${service.url}/api/v1/notif.php?aksi=ping`)).status).toBe(401);
  expect(service.output()).not.toContain('only a trigger keeps it from changing the audit log');
  await service.stop();
});

async function runProgram(args: string[], settings: Record<string, string>, program = process.execPath) {
  const env = { PATH: process.env.PATH, ...settings };
  const options = { cwd: root, env, extendEnv: false, reject: false, all: true, stripFinalNewline: false } as const;
  const { exitCode, all } = await execa(program, args, options);
  return { code: exitCode, output: all };
}

test.each([
  ['npm start', 'server/main.js'],
  ['notif', 'server/command/notif.ts', 'doctor'],
])('%s ends with one sentence when the settings file is wrong', async (_, ...args) => {
  const file = await write('wrong.env', `AUTH_SECRET=${secret}\nDATABASE_URL ${secret}\n`);
  const { code, output } = await runProgram(args, { SETTINGS_FILE: file });
  expect([code, output]).toEqual([1, `${file}: line 2 must be NAME=value, or begin with #.\n`]);
});

const { AUTH_SECRET: previous = '' } = process.env;
const [next, forgotten] = ['n'.repeat(40), 'f'.repeat(40)];

test('after a change of AUTH_SECRET, sessions of the previous one stay valid, no others', async ({ owner }) => {
  const cookie = await openSessionOf(owner);
  const isValid = async (one = cookie) => (await authenticateSession(one)) !== null;
  expect(await isValid()).toBe(true);
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv('AUTH_SECRET', next).stubEnv('AUTH_SECRET_PREVIOUS', forgotten);
  expect(await isValid()).toBe(false);
  vi.stubEnv('AUTH_SECRET_PREVIOUS', previous);
  expect(await isValid()).toBe(true);
  const fresh = await openSessionOf(owner);
  expect(await isValid(fresh)).toBe(true);
  vi.unstubAllEnvs();
  expect(await isValid(fresh), 'the new secret encrypted it').toBe(false);
});

const migrations = join(root, 'db', 'migrations');
const names = (await readdir(migrations)).map((file) => file.replace(/\.sql$/, '')).sort();

async function listTables({ admin }: FreshDatabase): Promise<string[]> {
  const tables = await admin<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`;
  return tables.map(({ name }) => name);
}

/** Makes a folder of all migrations and further ones (name to SQL). */
async function makeMigrations(further: Record<string, string>): Promise<string> {
  const copy = await mkdtemp(join(folder, 'migrations-'));
  await cp(migrations, copy, { recursive: true });
  for (const [name, text] of Object.entries(further)) await writeFile(join(copy, `${name}.sql`), text);
  return copy;
}

test('each migration runs once, in the order of the names', async () => {
  const { url } = await makeEmpty();
  expect(await migrate(url)).toEqual(names);
  const further = { '9999_second': 'alter table added add column x integer', '9998_first': 'create table added ()' };
  const copy = await makeMigrations(further);
  expect(await migrate(url, { folder: copy })).toEqual(['9998_first', '9999_second']);
  expect(await migrate(url, { folder: copy })).toEqual([]);
});

test('a database from before the first release is refused with what to do, and stays as it is', async () => {
  const old = await makeEmpty();
  await withConnection(old.ownerUrl, (sql) =>
    sql.unsafe('create schema drizzle; create table drizzle.__drizzle_migrations (hash text)'),
  );
  await expect(migrate(old.url)).rejects.toThrow('older than the first release; use a new database');
  expect(await listTables(old)).toEqual([]);
});

test('a failed migration changes nothing, undoes those before it, and is named in the error', async () => {
  const database = await makeEmpty();
  const { url } = database;
  await migrate(url);
  const broken = 'create table half (id integer); alter table missing add column x integer;';
  const further = { '9998_add': 'create table added (id integer)', '9999_break_things': broken };
  await expect(migrate(url, { folder: await makeMigrations(further) })).rejects.toThrow(
    'migration 9999_break_things failed: relation "missing" does not exist',
  );
  const tables = await listTables(database);
  for (const table of ['half', 'added']) expect(tables).not.toContain(table);
  expect(await migrate(url)).toEqual([]);
});

test('a service of an older version serves on the schema of a newer one, and says so', async () => {
  const { url, ownerUrl } = await makeEmpty();
  await migrate(url, { folder: await makeMigrations({ '9999_newer': 'create table newer (id integer)' }) });
  const roles = { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl };
  const service = await startService({ ...roles, AUTH_SECRET: secret, HOST: '127.0.0.1' });
  expect(service.output()).toContain('"msg":"a newer version migrated the database"');
  expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
  await service.stop();
});
