import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { lacks } from '#e2e/support/programs.ts';
import { builtActions } from '#e2e/support/service/build.ts';
import { root } from '#e2e/support/service/service.ts';
import { actionsKey, asBuildId } from '#platform/config/build.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { livePath, readyPath } from '#server/front/health.ts';
import { hashSources } from '#server/runtime/build-pages.ts';

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

test('the id of the build follows from its sources', async () => {
  expect(await readFile(join(root, '.next/BUILD_ID'), 'utf8')).toBe(asBuildId(await hashSources()));
});

test('the id of an action follows from its file and its name', () => {
  const idOf = (file: string, name: string) => createHash('sha1').update(`${actionsKey}${file}:${name}`).digest('hex');
  // The first two digits say which arguments the action takes.
  expect(builtActions.map(({ id }) => id.slice(2))).toEqual(builtActions.map(({ file, name }) => idOf(file, name)));
});

test('no action closes over variables, because the key that encrypts them is no secret', () => {
  expect(builtActions.filter(({ name }) => name.startsWith('$$RSC_SERVER_ACTION'))).toEqual([]);
});

const alerts = join(root, 'deploy', 'alerts.yml');

/** Values of one metric, one for each of three processes, a minute apart, in promtool's notation. */
type Series = { metric: string; labels?: string; processes: [string, string, string] };

/** Numbers that must raise an alert, and numbers that must not. `firing`: its processes, or the deployment. */
type Case = { firing: 'deployment' | string[]; after: string; raised: Series[]; quiet: Series[] };

const same = (value: string): [string, string, string] => [value, value, value];
const gauge = (metric: string, ...processes: [string, string, string]): Series => ({ metric, processes });
const always = (metric: string, value: number): Series => gauge(metric, ...same(`${value}x300`));

const requests = (status: string, processes: [string, string, string]): Series => ({
  metric: 'notif_request_duration_seconds_count',
  labels: `operation="send", status="${status}"`,
  processes,
});
const bucket = (le: string, processes: [string, string, string]): Series => ({
  metric: 'notif_request_duration_seconds_bucket',
  labels: `operation="send", status="200", le="${le}"`,
  processes,
});
const connections = (state: string, count: number): Series => ({
  metric: 'notif_database_connections',
  labels: `state="${state}"`,
  processes: same(`${count}x300`),
});
const durability = (trusted: string, count: number): Series => ({
  metric: 'notif_database_durability_off',
  labels: `trusted="${trusted}"`,
  processes: same(`${count}x300`),
});

const providerFailures = (cause: string, processes: [string, string, string]): Series => ({
  metric: 'notif_provider_failures_total',
  labels: `cause="${cause}"`,
  processes,
});

const cases: Record<string, Case> = {
  ServiceGone: {
    firing: ['b'],
    after: '10m',
    raised: [gauge('up', '1x300', '0x300', '1x300')],
    // A restart between two scrapes.
    quiet: [gauge('up', '1x300', '1 1 1 0 1x300', '1x300')],
  },
  DatabaseGone: {
    firing: ['a', 'b', 'c'],
    after: '10m',
    raised: [always('notif_database_up', 0)],
    quiet: [always('notif_database_up', 1)],
  },
  CallsRefusedByFaults: {
    firing: 'deployment',
    after: '30m',
    // One of three processes refuses a tenth of its calls: 3 % of all calls.
    raised: [
      requests('200', ['0+900x300', '0+1000x300', '0+1000x300']),
      requests('503', ['0+100x300', '0x300', '0x300']),
    ],
    quiet: [requests('200', same('0+1000x300')), requests('503', ['0+10x300', '0x300', '0x300'])],
  },
  CallsMetDefects: {
    firing: 'deployment',
    after: '20m',
    raised: [requests('200', same('0+1000x300')), requests('500', ['0x300', '0+1x300', '0x300'])],
    quiet: [requests('200', same('0+1000x300')), requests('500', same('3x300'))],
  },
  SendsSlow: {
    firing: 'deployment',
    after: '40m',
    raised: [
      bucket('1', ['0+80x300', '0+100x300', '0+100x300']),
      bucket('5', same('0+100x300')),
      bucket('+Inf', same('0+100x300')),
    ],
    quiet: [
      bucket('1', ['0+99x300', '0+100x300', '0+100x300']),
      bucket('5', same('0+100x300')),
      bucket('+Inf', same('0+100x300')),
    ],
  },
  NotificationsMayBeLate: {
    firing: ['c'],
    after: '10m',
    raised: [gauge('notif_feed_sweep_age_seconds', '0x300', '2x300', '20+60x300')],
    quiet: [gauge('notif_feed_sweep_age_seconds', '0x300', '2x300', '2x300')],
  },
  ProcessesDie: {
    firing: ['a'],
    after: '60m',
    raised: [gauge('process_start_time_seconds', '0+1x300', '0x300', '0x300')],
    // Each process starts again once or twice in an hour.
    quiet: [gauge('process_start_time_seconds', '0x20 2x300', '0x20 1x300', '0x20 2x10 3x300')],
  },
  StreamsFull: {
    firing: ['a'],
    after: '30m',
    raised: [gauge('notif_streams_refused_total', '0x20 5x300', '0x300', '7x300')],
    quiet: [gauge('notif_streams_refused_total', '5x300', '0x300', '7x300')],
  },
  UpstashAway: {
    firing: 'deployment',
    after: '30m',
    raised: [gauge('notif_upstash_paused', '0x300', '1x300', '1x300')],
    quiet: [gauge('notif_upstash_paused', '0x300', '0 1 0 1 0x300', '0x300')],
  },
  ConnectionsScarce: {
    firing: 'deployment',
    after: '30m',
    raised: [always('notif_database_connections_free', 2), connections('idle', 95)],
    // Each process reports the same 32 connections of the deployment; the alert must not add them up to 96.
    quiet: [
      ...[connections('idle', 30), connections('active', 2), always('notif_database_connections_limit', 97)],
      always('notif_database_connections_free', 65),
    ],
  },
  ConnectionsOvercommitted: {
    firing: 'deployment',
    after: '30m',
    raised: [always('notif_database_connections_budget', 60), always('notif_database_connections_limit', 97)],
    quiet: [always('notif_database_connections_budget', 30), always('notif_database_connections_limit', 97)],
  },
  DatabaseNotDurable: {
    firing: 'deployment',
    after: '10m',
    raised: [durability('no', 1), durability('yes', 0)],
    quiet: [durability('no', 0), durability('yes', 1)],
  },
  ProviderFails: {
    firing: 'deployment',
    after: '30m',
    raised: [providerFailures('certificate', ['0+1x300', '0x300', '0x300'])],
    // People cancel all the time.
    quiet: [providerFailures('cancelled', same('0+9x300')), providerFailures('unreachable', same('2x300'))],
  },
  HourlyJobsStopped: {
    firing: 'deployment',
    after: '60m',
    raised: [always('notif_hourly_jobs_age_seconds', 11_000)],
    quiet: [always('notif_hourly_jobs_age_seconds', 3700)],
  },
  ServiceNotScraped: {
    firing: 'deployment',
    after: '30m',
    raised: [],
    quiet: [always('up', 0)],
  },
  BackupOld: {
    firing: ['b'],
    after: '27h',
    raised: [gauge('staff_notification_backup_done_seconds', '7200x1700', '0x1700', '7200x1700')],
    quiet: [gauge('staff_notification_backup_done_seconds', ...same('7200x1700'))],
  },
  DiskNearlyFull: {
    firing: ['c'],
    after: '30m',
    raised: [
      gauge('node_filesystem_avail_bytes', '20x300', '11x300', '9x300'),
      always('node_filesystem_size_bytes', 100),
    ],
    quiet: [always('node_filesystem_avail_bytes', 11), always('node_filesystem_size_bytes', 100)],
  },
  CertificateExpires: {
    firing: ['a', 'b', 'c'],
    after: '2h',
    raised: [always('probe_ssl_earliest_cert_expiry', 10 * 86_400)],
    quiet: [always('probe_ssl_earliest_cert_expiry', 29 * 86_400)],
  },
};

const asSeries = ({ metric, labels, processes }: Series) =>
  processes.map((values, place) => {
    const all = ['job="staff-notification"', `instance="${'abc'[place]}"`, ...(labels ? [labels] : [])];
    return { series: `${metric}{${all.join(', ')}}`, values };
  });

// The labels and the text of an alert as the file has them.
function readRule(text: string, name: string): { severity: string; summary: string } {
  const [, rule = ''] = text.split(new RegExp(`- alert: ${name}\n`));
  const [, severity = ''] = /severity: (\w+)/.exec(rule) ?? [];
  const [, summary = ''] = /summary: '([^']+)'/.exec(rule) ?? [];
  return { severity, summary };
}

test('each alert has numbers that raise it and numbers that do not', async () => {
  const names = [...(await readFile(alerts, 'utf8')).matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  expect(Object.keys(cases).sort()).toEqual(names.sort());
});

test.skipIf(lacks('promtool'))('each alert fires on three processes when it should, and only then', async () => {
  const text = await readFile(alerts, 'utf8');
  const tests = Object.entries(cases).flatMap(([alertname, { firing, after, raised, quiet }]) => {
    const { severity, summary } = readRule(text, alertname);
    const expected = (firing === 'deployment' ? [null] : firing).map((instance) => ({
      exp_labels: { job: 'staff-notification', severity, ...(instance ? { instance } : {}) },
      exp_annotations: { summary: summary.replace('{{ $labels.instance }}', instance ?? '') },
    }));
    const asTest = (series: Series[], exp_alerts: object[]) => ({
      interval: '1m',
      input_series: series.flatMap(asSeries),
      alert_rule_test: [{ eval_time: after, alertname, exp_alerts }],
    });
    return [asTest(raised, expected), asTest(quiet, [])];
  });
  const folder = await mkdtemp(join(tmpdir(), 'notif-alerts-'));
  const file = join(folder, 'test.yml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: [alerts], evaluation_interval: '1m', tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  await rm(folder, { recursive: true, force: true });
  expect(status, stdout + stderr).toBe(0);
});
