import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { giveToService, ownerUrlOf } from '#db/service-role.ts';
import { freePort, root, startService } from '#e2e/support/service/service.ts';

const adminUrl = process.env.ADMIN_DATABASE_URL ?? '';
const secret = 'a secret from a file, and from nothing else';

const folder = await mkdtemp(join(tmpdir(), 'notif-settings-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, text: string, mode = 0o600): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text, { mode });
  return path;
}

async function withDatabase(use: (url: string, owner: string) => Promise<void>): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const name = `settings_${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`create database ${name}`);
  try {
    const url = await giveToService(adminUrl.replace(/\/postgres$/, `/${name}`));
    await use(url, ownerUrlOf(url) ?? '');
  } finally {
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  }
}

test('a start reads .env and secrets from files; processes do not get the owner role back', () =>
  withDatabase(async (url, owner) => {
    const secretFile = await write('secret', `${secret}\n`);
    const text = `DATABASE_URL='${url}'\nDATABASE_OWNER_URL='${owner}'\nAUTH_SECRET_FILE=${secretFile}\nPORT=1\nPROCESSES=2\n`;
    await write('.env', text, 0o644);
    const service = await startService(
      { SETTINGS_FILE: undefined, HOST: '127.0.0.1' },
      [join(root, 'server', 'main.ts')],
      /processes serve/,
      undefined,
      folder,
    );
    try {
      expect(service.process.exitCode, service.output()).toBeNull();
      expect((await fetch(`${service.url}/api/v1/notif.php?aksi=ping`)).status).toBe(401);
      const warnings = service.output().match(/^\{.*everyone on this machine can read the settings file.*$/gm);
      expect(warnings).toHaveLength(1);
      expect(JSON.parse(warnings?.[0] ?? '')).toMatchObject({ level: 40, file: '.env' });
      const { pid } = service.process;
      const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
      expect(children).toHaveLength(2);
      for (const child of children) {
        const environment = await readFile(`/proc/${child}/environ`, 'utf8');
        expect(environment).toContain(`AUTH_SECRET=${secret}\0`);
        expect(environment).not.toContain(new URL(owner).password);
      }
    } finally {
      await service.stop();
    }
  }));

test('next start reads the same settings', () =>
  withDatabase(async (url, owner) => {
    const port = String(await freePort());
    const file = await write(
      'next.env',
      `DATABASE_URL='${url}'\nDATABASE_OWNER_URL='${owner}'\nAUTH_SECRET=${secret}\n`,
    );
    const variables = { SETTINGS_FILE: file, NODE_ENV: 'production', PORT: port };
    await expect(runProgram(['db/migrate.ts'], variables)).resolves.toEqual({ code: 0, output: '' });
    const next = ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', port];
    const service = await startService(variables, next, /Ready in/);
    try {
      expect((await fetch(`${service.url}/api/v1/notif.php?aksi=ping`)).status).toBe(401);
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    } finally {
      await service.stop();
    }
  }));

function runProgram(args: string[], settings: Record<string, string>): Promise<{ code: number; output: string }> {
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env: env as NodeJS.ProcessEnv }, (error, output, problems) =>
      resolve({ code: Number(error?.code ?? 0), output: output + problems }),
    );
  });
}

test.each([
  ['npm start', 'server/main.ts'],
  ['npm run dev', 'server/runtime/dev.ts'],
  ['npm run build', 'server/runtime/build.ts'],
  ['npm run migrate', 'db/migrate.ts'],
  ['notif', 'server/command/main.ts', 'doctor'],
])('%s ends with one sentence when the settings file is wrong', async (_, ...args) => {
  const file = await write('wrong.env', `AUTH_SECRET=${secret}\nDATABASE_URL ${secret}\n`);
  const { code, output } = await runProgram(args, { SETTINGS_FILE: file });
  expect([code, output]).toEqual([1, `${file}: line 2 must be NAME=value, or begin with #.\n`]);
});
