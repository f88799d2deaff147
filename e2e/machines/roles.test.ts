import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { expect, test } from 'vitest';
import { giveToService, ownerUrlOf } from '#db/service-role.ts';
import { root, type Service, startService } from '#e2e/support/service/service.ts';

const run = promisify(execFile);
const adminUrl = process.env.ADMIN_DATABASE_URL ?? '';
const settings = { AUTH_SECRET: 'x'.repeat(40), HOST: '127.0.0.1' };
const guardedByTrigger = 'only a trigger keeps it from changing the audit log';

async function withDatabase(use: (url: string) => Promise<void>): Promise<void> {
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  const name = `roles_${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`create database ${name}`);
  try {
    const databaseAdminUrl = adminUrl.replace(/\/postgres$/, `/${name}`);
    await use(await giveToService(databaseAdminUrl));
  } finally {
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  }
}

const ping = async ({ url }: Service) => (await fetch(`${url}/api/v1/notif.php?aksi=ping`)).status;

async function environmentsOf({ process: { pid } }: Service): Promise<string[]> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
  return Promise.all(children.map((child) => readFile(`/proc/${child}/environ`, 'utf8')));
}

test('serving processes do not get the connection string of the owner role (T17)', () =>
  withDatabase(async (url) => {
    const owner = ownerUrlOf(url) ?? '';
    const service = await startService(
      { ...settings, DATABASE_URL: url, DATABASE_OWNER_URL: owner },
      ['server/main.ts', '--processes', '2'],
      /processes serve/,
    );
    try {
      const environments = await environmentsOf(service);
      expect(environments).toHaveLength(2);
      for (const environment of environments) {
        expect(environment).toContain(url);
        expect(environment).not.toContain('DATABASE_OWNER_URL');
        expect(environment).not.toContain(new URL(owner).password);
      }
      expect(await ping(service)).toBe(401);
      expect(service.output()).not.toContain(guardedByTrigger);
    } finally {
      await service.stop();
    }
  }));

test('without the owner role the service starts only on a migrated schema (T17)', () =>
  withDatabase(async (url) => {
    const serviceRoleOnly = { ...settings, DATABASE_URL: url, DATABASE_OWNER_URL: undefined };
    const refused = await startService(serviceRoleOnly);
    expect(refused.process.exitCode).toBe(1);
    expect(refused.output()).toMatch(
      /^DATABASE_URL: the schema is not the newest and this role may not change it .+\.\n$/,
    );
    const env = { ...process.env, DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrlOf(url) };
    await run(process.execPath, ['db/migrate.ts'], { cwd: root, env });
    const service = await startService(serviceRoleOnly);
    expect(await ping(service)).toBe(401);
    expect(service.output()).not.toContain(guardedByTrigger);
    await service.stop();
  }));

test('with one role the service starts and logs one warning (T17)', () =>
  withDatabase(async (url) => {
    const service = await startService({ ...settings, DATABASE_URL: ownerUrlOf(url) });
    expect(await ping(service)).toBe(401);
    const { output } = service;
    await service.stop();
    expect(output().split(guardedByTrigger)).toHaveLength(2);
  }));
