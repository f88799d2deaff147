import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { withFreshDatabase } from '#e2e/support/service/databases.ts';
import { root, startService } from '#e2e/support/service/service.ts';

const secret = 'a secret from a file, and from nothing else';

const folder = await mkdtemp(join(tmpdir(), 'notif-settings-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode });
  return path;
}

test('a start reads .env and secrets from files, and warns when everyone can read them', () =>
  withFreshDatabase({ isMigrated: false }, async ({ url, ownerUrl: owner }) => {
    const secretFile = await write('secret', `${secret}\n`);
    const text = `DATABASE_URL='${url}'\nDATABASE_OWNER_URL='${owner}'\nAUTH_SECRET_FILE=${secretFile}\nPORT=1\n`;
    await write('.env', text, 0o644);
    const service = await startService(
      { SETTINGS_FILE: undefined, HOST: '127.0.0.1' },
      [join(root, 'server', 'main.js')],
      undefined,
      undefined,
      folder,
    );
    try {
      expect(service.process.exitCode, service.output()).toBeNull();
      expect((await fetch(`${service.url}/api/v1/notif.php?aksi=ping`)).status).toBe(401);
      const warnings = service.output().match(/^\{.*everyone on this machine can read the settings file.*$/gm);
      expect(warnings).toHaveLength(1);
      expect(JSON.parse(warnings?.[0] ?? '')).toMatchObject({ level: 40, file: '.env' });
    } finally {
      await service.stop();
    }
  }));

test('without the owner role the service starts only on a migrated schema (T17)', () =>
  withFreshDatabase({ isMigrated: false }, async ({ url, ownerUrl }) => {
    const settings = { DATABASE_URL: url, DATABASE_OWNER_URL: undefined, AUTH_SECRET: secret, HOST: '127.0.0.1' };
    const refused = await startService(settings);
    expect(refused.process.exitCode).toBe(1);
    expect(refused.output()).toMatch(
      /^DATABASE_URL: the schema is not the newest and this role may not change it .+\.\n$/,
    );
    const migrate = (owner: string) => runMigrate({ DATABASE_URL: url, DATABASE_OWNER_URL: owner });
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
  }));

const runMigrate = (settings: Record<string, string>) => runProgram(['run', '--silent', 'migrate'], settings, 'npm');

function runProgram(
  args: string[],
  settings: Record<string, string>,
  program = process.execPath,
): Promise<{ code: number; output: string }> {
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', ...settings };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, env: env as NodeJS.ProcessEnv }, (error, output, problems) =>
      resolve({ code: Number(error?.code ?? 0), output: output + problems }),
    );
  });
}

test.each([
  ['npm start', 'server/main.js'],
  ['notif', 'server/command/notif.ts', 'doctor'],
])('%s ends with one sentence when the settings file is wrong', async (_, ...args) => {
  const file = await write('wrong.env', `AUTH_SECRET=${secret}\nDATABASE_URL ${secret}\n`);
  const { code, output } = await runProgram(args, { SETTINGS_FILE: file });
  expect([code, output]).toEqual([1, `${file}: line 2 must be NAME=value, or begin with #.\n`]);
});
