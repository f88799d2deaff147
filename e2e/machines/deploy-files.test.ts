import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { lacks } from '#e2e/support/programs.ts';
import { builtActions } from '#e2e/support/service/build.ts';
import { root } from '#e2e/support/service/service.ts';
import { actionsKey, asBuildId } from '#platform/config/build.ts';
import { serviceVersion } from '#platform/config/version.ts';
import { livePath, readyPath } from '#server/front/health.ts';
import { hashSources } from '#server/runtime/build-pages.ts';

const read = (file: string) => readFile(join(root, file), 'utf8');

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

type ComposeService = {
  image: string;
  environment: Record<string, string>;
  secrets: string[];
  read_only: boolean;
  cap_drop: string[];
  build?: { args: { VERSION: string } };
};
type Compose = { services: Record<'service' | 'postgres', ComposeService>; secrets: Record<string, { file: string }> };

// What systemd says of units, which have these files (path to text).
async function verifyUnits(files: Record<string, string>, ...units: string[]): Promise<string> {
  const folder = await makeFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const args = ['verify', ...units.map((name) => `./${name}`)];
  const { stdout, stderr } = spawnSync('systemd-analyze', args, { cwd: folder, encoding: 'utf8' });
  return stdout + stderr;
}

test.skipIf(lacks('systemd-analyze'))('systemd understands the unit of a process and the target', async () => {
  const units = ['staff-notification@.service', 'staff-notification.target'];
  const files: Record<string, string> = {};
  // It looks for the program, which packages and checkouts have at the same place.
  for (const name of units)
    files[name] = (await read(`deploy/${name}`)).replaceAll('/opt/staff-notification/current', root);
  expect(await verifyUnits(files, ...units)).toBe('');
});

test.skipIf(lacks('systemd-analyze', 'pg_restorecluster'))('systemd takes additions to Debian’s units', async () => {
  const files: Record<string, string> = {};
  for (const name of ['pg_dump@.service', 'pg_dump@.timer']) {
    files[name] = await readFile(join('/lib/systemd/system', name), 'utf8');
    // Every line that an operator may choose.
    const text = (await read(`deploy/${name}.conf`)).replaceAll(/^# (?=ExecStartPost|Environment)/gm, '');
    files[`${name}.d/staff-notification.conf`] = text;
  }
  const said = await verifyUnits(files, 'pg_dump@15-main.service', 'pg_dump@15-main.timer');
  // The programs that copy are not on every machine.
  expect(said.replaceAll(/^.*\/usr\/bin\/(?:restic|rclone) is not executable.*\n/gm, '')).toBe('');
});

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
  const folder = await makeFolder();
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
});

test('the ids of the build and its actions follow from their sources; no action closes over variables', async () => {
  expect(await readFile(join(root, '.next/BUILD_ID'), 'utf8')).toBe(asBuildId(await hashSources()));
  const idOf = (file: string, name: string) => createHash('sha1').update(`${actionsKey}${file}:${name}`).digest('hex');
  // The first two digits say which arguments the action takes.
  expect(builtActions.map(({ id }) => id.slice(2))).toEqual(builtActions.map(({ file, name }) => idOf(file, name)));
  // The key that encrypts the variables of an action is no secret.
  expect(builtActions.filter(({ name }) => name.startsWith('$$RSC_SERVER_ACTION'))).toEqual([]);
});

const alerts = join(root, 'deploy', 'alerts.yml');
type Rule = { alert: string; labels: { severity: string }; annotations: { summary: string } };
const { groups } = parse(await readFile(alerts, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

// Each alert, the processes on which it fires (or the deployment), and after how long. Below it the numbers that raise it
// and those that must not, of all three processes alike or of each, a minute apart, in promtool's notation.
const cases = `
ServiceGone b 10m (quiet: a restart between two scrapes)
  raises up 1x300 | 0x300 | 1x300
  quiet up 1x300 | 1 1 1 0 1x300 | 1x300
DatabaseGone a,b,c 10m
  raises notif_database_up 0x300
  quiet notif_database_up 1x300
CallsRefusedByFaults deployment 30m (one of three refuses a tenth of its calls: 3 % of all calls)
  raises notif_request_duration_seconds_count{operation="send", status="200"} 0+900x300 | 0+1000x300 | 0+1000x300
  raises notif_request_duration_seconds_count{operation="send", status="503"} 0+100x300 | 0x300 | 0x300
  quiet notif_request_duration_seconds_count{operation="send", status="200"} 0+1000x300
  quiet notif_request_duration_seconds_count{operation="send", status="503"} 0+10x300 | 0x300 | 0x300
CallsMetDefects deployment 20m
  raises notif_request_duration_seconds_count{operation="send", status="200"} 0+1000x300
  raises notif_request_duration_seconds_count{operation="send", status="500"} 0x300 | 0+1x300 | 0x300
  quiet notif_request_duration_seconds_count{operation="send", status="200"} 0+1000x300
  quiet notif_request_duration_seconds_count{operation="send", status="500"} 3x300
SendsSlow deployment 40m
  raises notif_request_duration_seconds_bucket{operation="send", status="200", le="1"} 0+80x300 | 0+100x300 | 0+100x300
  raises notif_request_duration_seconds_bucket{operation="send", status="200", le="5"} 0+100x300
  raises notif_request_duration_seconds_bucket{operation="send", status="200", le="+Inf"} 0+100x300
  quiet notif_request_duration_seconds_bucket{operation="send", status="200", le="1"} 0+99x300 | 0+100x300 | 0+100x300
  quiet notif_request_duration_seconds_bucket{operation="send", status="200", le="5"} 0+100x300
  quiet notif_request_duration_seconds_bucket{operation="send", status="200", le="+Inf"} 0+100x300
NotificationsMayBeLate c 10m
  raises notif_feed_sweep_age_seconds 0x300 | 2x300 | 20+60x300
  quiet notif_feed_sweep_age_seconds 0x300 | 2x300 | 2x300
ProcessesDie a 60m (quiet: each process starts again once or twice in an hour)
  raises process_start_time_seconds 0+1x300 | 0x300 | 0x300
  quiet process_start_time_seconds 0x20 2x300 | 0x20 1x300 | 0x20 2x10 3x300
StreamsFull a 30m
  raises notif_streams_refused_total 0x20 5x300 | 0x300 | 7x300
  quiet notif_streams_refused_total 5x300 | 0x300 | 7x300
UpstashAway deployment 30m
  raises notif_upstash_paused 0x300 | 1x300 | 1x300
  quiet notif_upstash_paused 0x300 | 0 1 0 1 0x300 | 0x300
ConnectionsScarce deployment 30m (quiet: each reports the same 32 of the deployment, which add up to 96)
  raises notif_database_connections_free 2x300
  raises notif_database_connections{state="idle"} 95x300
  quiet notif_database_connections{state="idle"} 30x300
  quiet notif_database_connections{state="active"} 2x300
  quiet notif_database_connections_limit 97x300
  quiet notif_database_connections_free 65x300
ConnectionsOvercommitted deployment 30m
  raises notif_database_connections_budget 60x300
  raises notif_database_connections_limit 97x300
  quiet notif_database_connections_budget 30x300
  quiet notif_database_connections_limit 97x300
DatabaseNotDurable deployment 10m
  raises notif_database_durability_off{trusted="no"} 1x300
  raises notif_database_durability_off{trusted="yes"} 0x300
  quiet notif_database_durability_off{trusted="no"} 0x300
  quiet notif_database_durability_off{trusted="yes"} 1x300
ProviderFails deployment 30m (quiet: people cancel all the time)
  raises notif_provider_failures_total{cause="certificate"} 0+1x300 | 0x300 | 0x300
  quiet notif_provider_failures_total{cause="cancelled"} 0+9x300
  quiet notif_provider_failures_total{cause="unreachable"} 2x300
HourlyJobsStopped deployment 60m
  raises notif_hourly_jobs_age_seconds 11000x300
  quiet notif_hourly_jobs_age_seconds 3700x300
ServiceNotScraped deployment 30m
  quiet up 0x300
BackupOld b 27h
  raises staff_notification_backup_done_seconds 7200x1700 | 0x1700 | 7200x1700
  quiet staff_notification_backup_done_seconds 7200x1700
DiskNearlyFull c 30m
  raises node_filesystem_avail_bytes 20x300 | 11x300 | 9x300
  raises node_filesystem_size_bytes 100x300
  quiet node_filesystem_avail_bytes 11x300
  quiet node_filesystem_size_bytes 100x300
CertificateExpires a,b,c 2h
  raises probe_ssl_earliest_cert_expiry 864000x300
  quiet probe_ssl_earliest_cert_expiry 2505600x300
`
  .trim()
  .split(/\n(?=\w)/)
  .map((text) => {
    const [head = '', ...lines] = text.split('\n');
    const [alertname = '', firing = '', after = ''] = head.split(' ');
    const seriesOf = (outcome: string) => lines.flatMap((line) => readSeries(line, outcome));
    return { alertname, firing: firing.split(','), after, raised: seriesOf('raises'), quiet: seriesOf('quiet') };
  });

function readSeries(line: string, wanted: string): { series: string; values: string }[] {
  const [, outcome, metric, labels, numbers = ''] = /^ +(\w+) (\w+)(?:\{(.+)\})? (.+)$/.exec(line) ?? [];
  if (outcome !== wanted) return [];
  const values = numbers.split(' | ');
  return [...'abc'].map((instance, place) => {
    const all = ['job="staff-notification"', `instance="${instance}"`, ...(labels ? [labels] : [])];
    return { series: `${metric}{${all.join(', ')}}`, values: values[place] ?? numbers };
  });
}

test('each alert has numbers that raise it and numbers that do not', () => {
  expect(cases.map(({ alertname }) => alertname).sort()).toEqual(rules.map(({ alert }) => alert).sort());
});

test.skipIf(lacks('promtool'))('each alert fires on three processes when it should, and only then', async () => {
  const tests = cases.flatMap(({ alertname, firing, after, raised, quiet }) => {
    const rule = rules.find(({ alert }) => alert === alertname);
    const { severity, summary = '' } = { ...rule?.labels, ...rule?.annotations };
    const expected = (firing[0] === 'deployment' ? [null] : firing).map((instance) => ({
      exp_labels: { job: 'staff-notification', severity, ...(instance ? { instance } : {}) },
      exp_annotations: { summary: summary.replace('{{ $labels.instance }}', instance ?? '') },
    }));
    const asTest = (input_series: object[], exp_alerts: object[]) => ({
      interval: '1m',
      input_series,
      alert_rule_test: [{ eval_time: after, alertname, exp_alerts }],
    });
    return [asTest(raised, expected), asTest(quiet, [])];
  });
  const file = join(await makeFolder(), 'test.yml');
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ rule_files: [alerts], evaluation_interval: '1m', tests }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
});
