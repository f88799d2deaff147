import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { lacks } from '#e2e/support/programs.ts';
import { root } from '#e2e/support/service/service.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { livePath, readyPath } from '#server/front/health.ts';

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

test.skipIf(lacks('systemd-analyze'))('systemd understands the unit of a process and the target', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'notif-units-'));
  const units = ['staff-notification@.service', 'staff-notification.target'];
  // It looks for the program, which packages and checkouts have at the same place.
  for (const name of units)
    await writeFile(
      join(folder, name),
      (await read(`deploy/${name}`)).replaceAll('/opt/staff-notification/current', root),
    );
  const args = ['verify', ...units.map((name) => `./${name}`)];
  const { stdout, stderr } = spawnSync('systemd-analyze', args, { cwd: folder, encoding: 'utf8' });
  await rm(folder, { recursive: true });
  expect(stdout + stderr).toBe('');
});

test.skipIf(lacks('systemd-analyze', 'pg_restorecluster'))(
  'systemd understands the additions to Debian’s backup units',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'notif-units-'));
    for (const name of ['pg_dump@.service', 'pg_dump@.timer']) {
      await copyFile(join('/lib/systemd/system', name), join(folder, name));
      await mkdir(join(folder, `${name}.d`));
      // Every line that an operator may choose.
      const text = (await read(`deploy/${name}.conf`)).replaceAll(/^# (?=ExecStartPost|Environment)/gm, '');
      await writeFile(join(folder, `${name}.d`, 'staff-notification.conf'), text);
    }
    const show = (...args: string[]) => spawnSync('systemd-analyze', args, { cwd: folder, encoding: 'utf8' });
    const { stdout, stderr } = show('verify', './pg_dump@15-main.service', './pg_dump@15-main.timer');
    await rm(folder, { recursive: true });
    // The programs that copy are not on every machine.
    expect((stdout + stderr).replaceAll(/^.*\/usr\/bin\/(?:restic|rclone) is not executable.*\n/gm, '')).toBe('');
  },
);

test.skipIf(lacks('kubernetes-validate'))('the Kubernetes manifest has the published form', () => {
  const args = ['--strict', '--quiet', 'deploy/kubernetes.yaml'];
  const { status, stdout, stderr } = spawnSync('kubernetes-validate', args, { cwd: root, encoding: 'utf8' });
  expect([status, stdout + stderr]).toEqual([0, '']);
});

type Container = { image: string; env?: { name: string }[] };
type Resource = { kind: string; spec: { template?: { spec: { containers: Container[] } } } };

test('the Kubernetes manifest names this version and documented settings, and its probes are answered', async () => {
  const text = await read('deploy/kubernetes.yaml');
  const resources = parseAllDocuments(text).map((document) => document.toJS() as Resource);
  const kinds = ['Job', 'Deployment', 'PodDisruptionBudget', 'Service', 'Ingress'];
  expect(resources.map(({ kind }) => kind)).toEqual(kinds);
  const containers = resources.flatMap(({ spec }) => spec.template?.spec.containers ?? []);
  expect(containers.map(({ image }) => image.split(':')[1])).toEqual([serviceVersion(), serviceVersion()]);
  const configuration = await read('docs/configuration.md');
  for (const { name } of containers.flatMap(({ env = [] }) => env)) expect(configuration).toContain(`\`${name}\``);
  const paths = [...text.matchAll(/httpGet: \{ path: ([^,]+),/g)].map(([, path]) => path);
  expect(new Set(paths)).toEqual(new Set([livePath, readyPath]));
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
