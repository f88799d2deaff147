import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '#e2e/support/service/service.ts';
import { serviceVersion } from '#platform/config/version.ts';

const read = (file: string) => readFile(join(root, file), 'utf8');

type ComposeService = {
  image: string;
  environment: Record<string, string>;
  secrets: string[];
  read_only: boolean;
  cap_drop: string[];
  build?: { args: { VERSION: string } };
};
type Compose = { services: Record<'service' | 'postgres', ComposeService>; secrets: Record<string, { file: string }> };

test('the unit starts a program that packages and checkouts have', async () => {
  const unit = await read('deploy/staff-notification.service');
  const [, program = '', argument] = /^ExecStart=\/opt\/staff-notification\/current\/(\S+) (\w+)$/m.exec(unit) ?? [];
  expect([program, argument]).toEqual(['bin/notif', 'start']);
  expect((await stat(join(root, program))).mode & 0o111).toBe(0o111);
});

test('the container files name this version, documented settings and existing secrets', async () => {
  const dockerfile = await read('deploy/container/Dockerfile');
  expect(/^ARG VERSION=(.*)$/m.exec(dockerfile)?.[1]).toBe(serviceVersion());
  const compose = parse(await read('deploy/container/compose.yaml')) as Compose;
  const { service, postgres } = compose.services;
  expect(String(service.build?.args.VERSION)).toBe(serviceVersion());
  expect(service.image).toBe(`staff-notification:${serviceVersion()}`);
  const configuration = await read('docs/configuration.md');
  for (const name of Object.keys(service.environment))
    expect(configuration).toContain(`\`${name.replace(/_FILE$/, '')}\``);
  for (const { environment, secrets, read_only, cap_drop } of [service, postgres]) {
    expect([read_only, cap_drop]).toEqual([true, ['ALL']]);
    for (const name of secrets) expect(Object.keys(compose.secrets)).toContain(name);
    const files = Object.values(environment).filter((value) => String(value).startsWith('/run/secrets/'));
    expect(files.map((file) => file.split('/').at(-1)).filter((name = '') => !secrets.includes(name))).toEqual([]);
  }
});

test('the script for the roles takes their passwords from the connection strings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-roles-'));
  try {
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin', 'psql'), '#!/bin/sh\nprintf "%s\\n" "$@"\ncat\n', { mode: 0o755 });
    await writeFile(join(folder, 'database-url'), 'postgres://notif_service:aa11@postgres:5432/notif\n');
    await writeFile(join(folder, 'database-owner-url'), 'postgres://notif_owner:bb22@postgres:5432/notif');
    const script = (await read('deploy/container/create-roles.sh')).replaceAll('/run/secrets', folder);
    const { stdout } = spawnSync('sh', ['-c', script], {
      env: { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, NODE_ENV: 'test' },
      encoding: 'utf8',
    });
    expect(stdout).toContain('owner=bb22\n');
    expect(stdout).toContain('service=aa11\n');
    expect(stdout).toContain('create database notif owner notif_owner;');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
