import { chmod, mkdtemp, readFile as readText, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ifAbsent } from '#platform/absent-file.ts';
import { EnvError } from '#platform/config/checks.ts';
import { readSettings } from '#platform/config/settings-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'notif-settings-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

let count = 0;
async function write(text: string, mode = 0o600): Promise<string> {
  const path = join(folder, `file-${count++}`);
  await writeFile(path, text);
  await chmod(path, mode);
  return path;
}

const readFile = async (text: string, given: Record<string, string> = {}, mode?: number) =>
  readSettings({ ...given, SETTINGS_FILE: await write(text, mode) });

test.each([
  ['PORT=3001', { PORT: '3001' }],
  ['\uFEFFPORT=3001\r\nHOST=127.0.0.1\r\n', { PORT: '3001', HOST: '127.0.0.1' }],
  ['# a comment\n\n  PORT = 3001  # why\n', { PORT: '3001' }],
  ['HOST= \nPORT=3001', { PORT: '3001' }],
  ['export APP_URL="https://a.test/#x" # why', { APP_URL: 'https://a.test/#x' }],
  [`AUTH_SECRET='a#b"c$d'`, { AUTH_SECRET: 'a#b"c$d' }],
  ['AUTH_SECRET=ab+/c=', { AUTH_SECRET: 'ab+/c=' }],
  ['DATABASE_URL=postgres://u:pa$word@h/d', { DATABASE_URL: 'postgres://u:pa$word@h/d' }],
])('the settings file %j sets %j', async (text, variables) => {
  expect(await readFile(text)).toEqual({ variables, openFile: undefined });
});

test.each([
  ['PORT=1\nPORT 3001', 'line 2 must be NAME=value, or begin with #'],
  ['2ND=x', 'line 1 must be NAME=value, or begin with #'],
  ['\0P\0O\0R\0T\0=\x001', 'line 1 must be NAME=value, or begin with #'],
  ['AUTH_SECRET=abc#def', 'line 1 has a # in its value; put the value in quotes'],
  ['AUTH_SECRET="abc', 'line 1 has a quote that does not end the value'],
  [`AUTH_SECRET='abc'def`, 'line 1 has a quote that does not end the value'],
])('the settings file %j is refused and no value is repeated', async (text, problem) => {
  const path = await write(text);
  expect(() => readSettings({ SETTINGS_FILE: path })).toThrow(new EnvError(`${path}: ${problem}.`));
});

test('a variable that is set wins over the settings file; an empty one does not', async () => {
  const read = await readFile('PORT=1\nHOST=::1', { PORT: '3001', HOST: '' });
  expect(read).toMatchObject({ variables: { HOST: '::1' } });
  expect(read).not.toHaveProperty('variables.PORT');
});

test('NODE_EXTRA_CA_CERTS in the settings file is refused unless the environment has it too', async () => {
  const path = await write('NODE_EXTRA_CA_CERTS=/etc/ca.pem');
  const problem = `works in the environment only, not in ${path}; for a provider set "ca" in OIDC_PROVIDERS.`;
  expect(() => readSettings({ SETTINGS_FILE: path })).toThrow(new EnvError(`NODE_EXTRA_CA_CERTS: ${problem}`));
  expect(readSettings({ SETTINGS_FILE: path, NODE_EXTRA_CA_CERTS: '/etc/ca.pem' }).variables).toEqual({});
});

test('a named settings file must exist; without a name, a missing .env is none', () => {
  const path = join(folder, 'none');
  expect(() => readSettings({ SETTINGS_FILE: path })).toThrow(new EnvError(`${path}: does not exist.`));
  expect(() => readSettings({ SETTINGS_FILE: folder })).toThrow(new EnvError(`${folder}: is a folder.`));
});

test.each([
  ['AUTH_SECRET=x', 0o644, true],
  ['AUTH_SECRET=x', 0o640, false],
  ['AUTH_SECRET=\nPORT=1', 0o644, false],
])('the settings file %j with mode %o is reported as open: %s', async (text, mode, isOpen) => {
  expect((await readFile(text, {}, mode)).openFile !== undefined).toBe(isOpen);
});

test('a secret comes from its file without the last line break, which the settings file may name', async () => {
  const secret = await write('one\ntwo\r\n');
  const read = [await readFile('', { AUTH_SECRET_FILE: secret }), await readFile(`AUTH_SECRET_FILE=${secret}`)];
  for (const { variables } of read) expect(variables).toMatchObject({ AUTH_SECRET: 'one\ntwo' });
});

test('a secret given twice, a missing and an empty file are one sentence each', async () => {
  const [full, empty, missing] = [await write('x'), await write('\n'), join(folder, 'none')];
  const read = (variables: Record<string, string>) => () => readSettings({ SETTINGS_FILE: '/dev/null', ...variables });
  const isTwice = new EnvError('AUTH_SECRET: is set, and AUTH_SECRET_FILE too; set only one of them.');
  expect(read({ AUTH_SECRET: 'x', AUTH_SECRET_FILE: full })).toThrow(isTwice);
  const isMissing = new EnvError(`DATABASE_URL_FILE: ${missing} does not exist.`);
  expect(read({ DATABASE_URL_FILE: missing })).toThrow(isMissing);
  expect(read({ AUTH_SECRET_FILE: empty })).toThrow(new EnvError(`AUTH_SECRET_FILE: ${empty} is empty.`));
});

test('a file that does not exist has a substitute, one that cannot be read has none', async () => {
  const read = (path: string) => readText(path, 'utf8').catch(ifAbsent('nothing'));
  expect(await read(join(import.meta.dirname, 'none'))).toBe('nothing');
  await expect(read(import.meta.dirname)).rejects.toThrow('EISDIR');
});
