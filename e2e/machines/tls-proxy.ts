import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { programPath } from '#e2e/support/programs.ts';
import { certificateFiles } from '#e2e/support/proxies/certificates/certificates.ts';
import { type Running, startProgram } from '#e2e/support/running.ts';
import { noteSeen } from '#e2e/support/service/secrets.ts';
import { freePort, root } from '#e2e/support/service/service.ts';

/** The host name in the documentation's examples. */
export const proxyName = 'notif.example.com';

/** A proxy that has files in deploy/proxies. */
export type ProxyKind = 'nginx' | 'caddy' | 'haproxy' | 'traefik';

type Course = { folder: string; port: number; plainPort: number; servicePorts: number[] };

// Each writes the proxy's files and returns its command.
const preparations: Record<ProxyKind, (course: Course) => Promise<string[]>> = {
  nginx: prepareNginx,
  caddy: prepareCaddy,
  haproxy: prepareHaproxy,
  traefik: prepareTraefik,
};

/** Starts a proxy before the processes at these ports, with the printed configuration and a test certificate. */
export async function startProxy(kind: ProxyKind, ...servicePorts: number[]) {
  const folder = await mkdtemp(join(tmpdir(), `notif-${kind}-`));
  const course = { folder, servicePorts, port: await freePort(), plainPort: await freePort() };
  await copyFile(certificateFiles.certificate, join(folder, 'crt.pem'));
  await copyFile(certificateFiles.key, join(folder, 'key.pem'));
  const [command = '', ...args] = await preparations[kind](course);
  const env = { PATH: programPath, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const running = startProgram(command, args, { env });
  for (const port of [course.port, course.plainPort]) await untilOpen(port, running);
  /** Reads access and error logs. Caddy writes no access log. */
  const readLogs = async () =>
    `${running.output()}${await readFile(join(folder, 'access.log'), 'utf8').catch(() => '')}`;
  return {
    kind,
    readLogs,
    port: course.port,
    plainPort: course.plainPort,
    certificate: await readFile(certificateFiles.authority, 'utf8'),
    stop: async () => {
      await running.stop(10_000);
      noteSeen('proxies', await readLogs());
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type TlsProxy = Awaited<ReturnType<typeof startProxy>>;

// Only names, ports and paths differ from the documentation, and there is a line for each process.
async function readExample(name: string, servicePorts: number[], changes: [from: string | RegExp, to: string][]) {
  const example = await readFile(join(root, 'deploy', 'proxies', name), 'utf8');
  // HAProxy names its servers a, b, c.
  const lineOf = (line: string, port: number, at: number) =>
    line.replace(':3001', `:${port}`).replaceAll(/\ba\b/g, 'abc'[at] ?? '');
  let changed = example
    .replace(/^.*127\.0\.0\.1:3002.*\n/gm, '')
    .replace(/^.*127\.0\.0\.1:3001.*\n/gm, (line) => servicePorts.map((port, at) => lineOf(line, port, at)).join(''));
  for (const [from, to] of changes) {
    if (changed.replaceAll(from, to) === changed) throw new Error(`${name} has no ${from}`);
    changed = changed.replaceAll(from, to);
  }
  return changed;
}

async function prepareNginx({ folder, port, plainPort, servicePorts }: Course): Promise<string[]> {
  const isOld = /\/1\.(?:1?\d|2[0-4])\.|\/1\.25\.0/.test(spawnSync('nginx', ['-v'], { encoding: 'utf8' }).stderr);
  const example = await readExample('nginx.conf', servicePorts, [
    [/listen (\[::\]:)?80;/g, `listen 127.0.0.1:${plainPort};`],
    // Before 1.25.1 as the head of the file says. Rules of a site may hand every *.php to PHP.
    ['  http2 on;\n', `${isOld ? '' : '  http2 on;\n'}  location ~ \\.php$ { return 403; }\n`],
    ...(isOld ? [['443 ssl;', '443 ssl http2;'] as [string, string]] : []),
    [/listen (\[::\]:)?443 /g, `listen 127.0.0.1:${port} `],
    [/^( *listen .*\n)\1/gm, '$1'],
    [/\/etc\/letsencrypt\/live\/[^/]*\/fullchain.pem/g, join(folder, 'crt.pem')],
    [/\/etc\/letsencrypt\/live\/[^/]*\/privkey.pem/g, join(folder, 'key.pem')],
    [/\/var\/log\/nginx\/staff-notification.log/g, join(folder, 'access.log')],
  ]);
  await writeFile(join(folder, 'site.conf'), example);
  const kept = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`);
  for (const one of ['client_body', 'proxy']) await mkdir(join(folder, one));
  // As root, nginx would run its workers as a user that cannot write here.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `${user} daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1;
    events { worker_connections 4096; } http { ${kept.join(' ')} include ${folder}/site.conf; }`;
  await writeFile(join(folder, 'nginx.conf'), main);
  return ['nginx', '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
}

async function prepareCaddy({ folder, port, plainPort, servicePorts }: Course): Promise<string[]> {
  const example = await readExample('Caddyfile', servicePorts, [
    [/^\{\n/gm, `{\n\tadmin off\n\thttp_port ${plainPort}\n\thttps_port ${port}\n`],
    ['# tls /etc/ssl/notif.crt /etc/ssl/private/notif.key', `tls ${folder}/crt.pem ${folder}/key.pem`],
  ]);
  await writeFile(join(folder, 'Caddyfile'), example);
  return ['caddy', 'run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')];
}

async function prepareHaproxy({ folder, port, plainPort, servicePorts }: Course): Promise<string[]> {
  const example = await readExample('haproxy.cfg', servicePorts, [
    [/^ {2}bind \[::\].*\n/gm, ''],
    ['bind :80', `bind 127.0.0.1:${plainPort}`],
    ['bind :443', `bind 127.0.0.1:${port}`],
    [/^ {2}(?:user|group) haproxy\n/gm, ''],
    ['/etc/haproxy/notif.pem', join(folder, 'both.pem')],
    ['/run/haproxy/admin.sock', join(folder, 'admin.sock')],
    ['log /dev/log local0', 'log stdout format raw local0'],
  ]);
  await writeFile(join(folder, 'haproxy.cfg'), example);
  const [certificate, key] = ['crt.pem', 'key.pem'].map((name) => readFile(join(folder, name), 'utf8'));
  await writeFile(join(folder, 'both.pem'), `${await certificate}${await key}`);
  return ['haproxy', '-db', '-f', join(folder, 'haproxy.cfg')];
}

async function prepareTraefik({ folder, port, plainPort, servicePorts }: Course): Promise<string[]> {
  const start = await readExample('traefik.yml', servicePorts, [
    ["':80'", `127.0.0.1:${plainPort}`],
    ["':443'", `127.0.0.1:${port}`],
    ['/etc/traefik/service.yml', join(folder, 'service.yml')],
    [/^certificatesResolvers:\n(?: .*\n)+/gm, ''],
  ]);
  const certificates = `tls:\n  certificates:\n    - certFile: ${folder}/crt.pem\n      keyFile: ${folder}/key.pem\n`;
  const service = await readExample('traefik-service.yml', servicePorts, [
    [/^http:$/gm, `${certificates}http:`],
    [/tls:\n +certResolver: letsencrypt/g, 'tls: {}'],
  ]);
  await writeFile(join(folder, 'traefik.yml'), start);
  await writeFile(join(folder, 'service.yml'), service);
  return ['traefik', '--configFile', join(folder, 'traefik.yml')];
}

async function untilOpen(port: number, { process: child, output }: Running): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the proxy ended:\n${output()}`);
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(Boolean, () => false);
    socket.destroy();
    if (isOpen) return;
    await wait(20);
  }
}

type ProxyAsked = { method?: string; headers?: Record<string, string>; body?: string | Buffer; agent?: Agent };
type ProxyAnswer = { status: number; headers: Headers; text: string };

/** Makes a request through the proxy over TLS and HTTP/1.1; returns after the headers. */
export async function begin(proxy: TlsProxy, path: string, asked: ProxyAsked = {}): Promise<IncomingMessage> {
  const { method = 'GET', headers = {}, body, agent = new Agent({ maxSockets: 1 }) } = asked;
  const tls = { ca: proxy.certificate, servername: proxyName };
  const address = { host: '127.0.0.1', port: proxy.port, path, method, agent };
  const sending = request({ ...tls, ...address, headers: { Host: proxyName, ...headers } }).on('error', () => {});
  sending.end(body);
  const [response] = await once(sending, 'response');
  return response as IncomingMessage;
}

/** Makes a request as `begin` does and reads the whole response. */
export async function askProxy(proxy: TlsProxy, path: string, asked: ProxyAsked = {}): Promise<ProxyAnswer> {
  const response = await begin(proxy, path, asked);
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) headers.append(name, value);
  return { status: response.statusCode ?? 0, headers, text: await text(response) };
}

export async function askProxyOverHttp2(
  proxy: TlsProxy,
  path: string,
  { method = 'GET', headers = {}, body }: ProxyAsked = {},
): Promise<ProxyAnswer> {
  const session = connectHttp2(`https://${proxyName}:${proxy.port}`, {
    ca: proxy.certificate,
    servername: proxyName,
    host: '127.0.0.1',
    ALPNProtocols: ['h2'],
    lookup: (_name, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }]),
  }).on('error', () => {});
  try {
    const stream = session.request({ ':method': method, ':path': path, ':authority': proxyName, ...headers });
    stream.end(body);
    const [received] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    const plain = Object.entries(received).filter(([name]) => !name.startsWith(':'));
    const passed = new Headers(plain.map(([name, value]) => [name, String(value)]));
    return { status: Number(received[':status']), headers: passed, text: await text(stream) };
  } finally {
    session.close();
  }
}
