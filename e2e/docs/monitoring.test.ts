import { expect, test, vi } from 'vitest';
import { sql } from '#db/client.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { type PrintedBlock, printed } from '#e2e/support/http/printed.ts';
import { makeReader, throughProxy } from '#e2e/support/http/reader.ts';
import { lacks, type Program, programPath } from '#e2e/support/programs.ts';
import type { Failure } from '#e2e/support/proxies/proxy.ts';
import { startProgram } from '#e2e/support/running.ts';

/** A server with all scripts of the page. Only folders, the recipient and a proxy's address differ from it. */
async function setUpServer(failures?: Failure[]) {
  const reader = await makeReader();
  const { home, company, userId, key, keep } = reader;
  const ours = (text: string) =>
    text
      .replaceAll('/usr/local/bin/', `${home}/bin/`)
      .replaceAll('/etc/notif.env', `${home}/notif.env`)
      .replaceAll('/var/log/', `${home}/log/`)
      .replace(/((?:\.sh|\.py|"user_id":) |user_id=)7\b/g, `$1${userId}`)
      .replaceAll('jss_…', key);
  const blocks = (await printed('recipes/monitoring', 'id')).map((block) => ({ ...block, text: ours(block.text) }));
  const find = (wanted: (block: PrintedBlock) => boolean) => blocks.find(wanted)?.text ?? '';
  const file = (name: string) => find((block) => block.file === name);
  await keep('notif.env', file('notif.env'));
  const alert = file('notif-alert.sh');
  const stumbling = failures && (await throughProxy(alert, failures));
  await keep('bin/notif-alert.sh', stumbling?.text ?? alert, 0o755);
  for (const name of ['notif-monit.sh', 'notif-check.sh', 'notif-lines.sh', 'notif-mail.py'])
    await keep(`bin/${name}`, file(name), 0o755);
  // A fixed `date`: the hour must not change between two runs.
  await keep('seen/date', '#!/bin/sh\necho 2026-11-24-07\n', 0o755);
  const environment = { HOME: home, PATH: `${home}/seen:${programPath}`, NOTIF_KEY: '' };
  const stored = () => sql()`
    select title, body from notifications
    where company_id = ${company.owner.companyId} and recipient_id = ${Number(userId)} order by no`;
  return {
    ...reader,
    file,
    find,
    ours,
    stored,
    proxy: stumbling?.proxy,
    run: (line: string, variables = {}) => reader.run(line, { ...environment, ...variables }),
    runUntilStored: async (command: string, args: string[], act?: () => Promise<unknown>) => {
      const { output, stop } = startProgram(command, args, { cwd: home, env: environment, extendEnv: false });
      await act?.();
      const arrived = async () => (await stored()).length > 0;
      const fail = () => expect(output()).toBe('a notification');
      await vi.waitUntil(arrived, { timeout: 30_000, interval: 100 }).catch(fail);
      await stop(5000);
    },
  };
}

type Server = Awaited<ReturnType<typeof setUpServer>>;

const quiet = { code: 0, out: '', err: '' };

const fill = (text: string, values: Record<string, string>, end = '') =>
  Object.entries(values).reduce((filled, [name, value]) => filled.replace(`$${name}${end}`, () => value), text);

test.skipIf(lacks('curl'))('monitoring: the script cuts, repeats with one Idempotency-Key, once an hour', async () => {
  const { run, keep, find, stored, proxy, revoke, userId } = await setUpServer(['answer lost', 503, 429]);
  const long = 'é😀'.repeat(150);
  await keep('long.txt', long);
  const trial = find(({ text }) => text.startsWith('echo "Percobaan'));
  expect(await run(trial)).toMatchObject({ code: 0, out: '' });
  expect(await run(trial)).toEqual(quiet);
  const send = `bin/notif-alert.sh ${userId}`;
  const damaged = `(printf '\\377'; cat long.txt) | ${send} "$(cat long.txt)"`;
  for (const line of [damaged, `${send} "Problem: Disk" "Zabbix & 100%"`, `${send} Kosong ""`])
    expect(await run(line)).toEqual(quiet);
  const first = (count: number) => [...long].slice(0, count).join('');
  expect(await stored()).toEqual([
    { title: 'Percobaan', body: 'Percobaan dari server.' },
    { title: first(120), body: first(255) },
    { title: 'Problem: Disk', body: 'Zabbix & 100%' },
    { title: 'Kosong', body: '-' },
  ]);
  expect(new Set(proxy?.onceKeys.slice(0, 4)).size).toBe(1);
  const err = expect.stringMatching(/^Judul: HTTP 400: \{.*"code":"user_id_empty"/);
  expect(await run('bin/notif-alert.sh "" Judul Isi')).toEqual({ code: 1, out: '', err });
  await revoke();
  expect((await run(trial)).err).toMatch(/^Percobaan: HTTP 401: \{.*"code":"key_rejected"/);
  await proxy?.stop();
});

const said = (title: string, body: string) => ({ title, body });

/** Each system with its printed settings, and what its event becomes. */
const systems: { name: string; needs: Program[]; act: (server: Server) => Promise<unknown>; becomes: object[] }[] = [
  {
    name: 'Monit',
    needs: ['monit'],
    act: async ({ home, keep, file, runUntilStored }) => {
      const files = ['log', 'pidfile', 'idfile', 'statefile'].map((name) => `set ${name} ${home}/monit.${name}\n`);
      const settings = file('monit.conf').replace('> 90%', '> 0.01%');
      await keep('monitrc', `set daemon 1\n${files.join('')}${settings}\n`, 0o700);
      await runUntilStored('monit', ['-I', '-c', `${home}/monitrc`]);
    },
    becomes: [{ title: expect.stringMatching(/: akar$/), body: expect.stringContaining('space usage') }],
  },
  {
    name: 'Nagios plugins',
    needs: ['nagios plugins'],
    act: async ({ run, find }) => {
      const [, line = ''] = /^\S+ \* \* \* \* (.*)$/.exec(find(({ language }) => language === 'crontab')) ?? [];
      const ok = line.replaceAll('\\%', '%');
      const full = ok.replace('-c 5%', '-c 100%');
      for (const check of [ok, full, full, ok]) expect(await run(check)).toEqual(quiet);
    },
    becomes: [
      { title: 'CRITICAL: Disk server-1', body: expect.stringMatching(/^DISK CRITICAL[^|]*$/) },
      { title: 'OK: Disk server-1', body: expect.stringMatching(/^DISK OK/) },
    ],
  },
  {
    name: 'the command of Nagios',
    needs: [],
    act: async ({ file, run, userId }) => {
      const [, command = ''] = /command_line (.*)$/m.exec(file('nagios.cfg')) ?? [];
      const service = { NOTIFICATIONTYPE: 'PROBLEM', HOSTNAME: 'server-1', SERVICEDESC: 'Disk' };
      const macros = { ...service, SERVICEOUTPUT: 'Penuh 5%', CONTACTPAGER: userId, LONGDATETIME: 'Tue Nov 24' };
      for (let time = 0; time < 2; time++) expect(await run(fill(command, macros, '$'))).toEqual(quiet);
    },
    becomes: [{ title: 'PROBLEM: server-1 Disk', body: 'Penuh 5%' }],
  },
  {
    name: 'rsyslog',
    needs: ['rsyslogd'],
    act: async ({ home, keep, file, run, runUntilStored }) => {
      const socket = `module(load="imuxsock" SysSock.Use="off")\ninput(type="imuxsock" Socket="${home}/log")\n`;
      await keep('rsyslog.conf', socket + file('notif.conf'));
      const log = (words: string) => `logger -u log -t mesin -p user.${words}`;
      const lines = `until [ -S log ]; do sleep 0.1; done; ${log('info Biasa')}; ${log(`crit 'Suhu "95" é'`)}; ${log('crit Lagi')}`;
      await runUntilStored('rsyslogd', ['-n', '-f', `${home}/rsyslog.conf`, '-i', `${home}/pid`], () => run(lines));
    },
    becomes: [{ title: expect.stringMatching(/^Log ./), body: 'mesin: Suhu "95" é' }],
  },
  {
    name: 'logrotate',
    needs: ['logrotate'],
    act: async ({ keep, file, run }) => {
      await keep('seen/systemctl', '#!/bin/sh\nexit 1\n', 0o755);
      await keep('log/kasir/kasir.log', 'baris\n');
      await keep('logrotate.conf', file('kasir.conf'));
      expect(await run('chmod 700 log log/kasir && logrotate -f -s state logrotate.conf')).toEqual(quiet);
    },
    becomes: [{ title: expect.stringMatching(/^Gagal: logrotate di ./), body: 'kasir tidak membuka log yang baru.' }],
  },
  {
    name: 'systemd',
    needs: ['systemd-analyze'],
    act: async ({ keep, file, run }) => {
      const unit = file('notif-failed@.service');
      await keep('notif-failed@.service', unit);
      await keep('cadangan.service', `${file('cadangan.conf')}\n[Service]\nType=oneshot\nExecStart=/bin/true\n`);
      expect(await run('systemd-analyze verify ./cadangan.service ./notif-failed@x.service')).toEqual(quiet);
      await keep('seen/journalctl', '#!/bin/sh\necho "$@"\n', 0o755);
      const [, command = ''] = /^ExecStart=(.*)$/m.exec(unit) ?? [];
      const [, of = ''] = /^OnFailure=notif-failed@(.*)\.service$/m.exec(file('cadangan.conf')) ?? [];
      const failed = command.replaceAll('%i', of.replace('%n', 'cadangan.service')).replace('%H', 'server-1');
      expect(await run(failed)).toEqual(quiet);
    },
    becomes: [{ title: 'Gagal: cadangan.service di server-1', body: '-u cadangan.service -n 5 -o cat --no-pager' }],
  },
  {
    name: 'mail',
    needs: ['python3'],
    act: async ({ keep, file, run }) => {
      const [, command = ''] = /^notif: "\|(.*)"$/.exec(file('aliases')) ?? [];
      const subject = 'Subject: =?UTF-8?B?Q3JvbiBnYWdhbCDwn5iA?=\n =?ISO-8859-1?Q?_caf=E9?=\n';
      const encoded = 'Content-Type: text/plain; charset=ISO-8859-1\nContent-Transfer-Encoding: quoted-printable\n';
      const parts = `--b\n${encoded}\nHarga =E9\nnaik\n--b\nContent-Type: text/html\n\n<b>x</b>\n--b--\n`;
      const type = 'MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n';
      await keep('first.eml', `From: root\nMessage-ID: <1@server>\n${subject}${type}\n${parts}`);
      await keep('second.eml', 'From: root (Cron Daemon)\nSubject: Cron <root@server> cadangan.sh\n\ntar: penuh\n');
      for (const mail of ['first', 'second', 'first']) expect(await run(`${command} < ${mail}.eml`)).toEqual(quiet);
      expect((await run(`${command.replace(/\d+$/, '1')} < first.eml`)).code).toBe(1);
    },
    becomes: [said('Cron gagal 😀 café', 'Harga é naik'), said('Cron <root@server> cadangan.sh', 'tar: penuh')],
  },
  {
    name: 'Healthchecks, MikroTik and ESP32, as requests alone,',
    needs: [],
    act: async (server) => {
      for (const { url, headers, body } of printedRequests(server)) {
        expect(url).toBe(`${baseUrl}/api/v1/notif.php`);
        for (let time = 0; time < (headers['Idempotency-Key'] ? 2 : 1); time++)
          expect(await (await fetch(url, { method: 'POST', headers, body })).json()).toEqual({ ok: true, terkirim: 1 });
      }
    },
    becomes: [
      said('Healthchecks: down', 'Cadangan "malam"'),
      said('Router', 'Internet utama putus.'),
      said('Suhu', '31 °C'),
    ],
  },
];

/** The requests that these systems make of the printed settings. */
function printedRequests({ file, userId, key }: Server) {
  const asHeaders = (text: string, between: string) =>
    Object.fromEntries(text.split(between).map((line) => line.split(': '))) as Record<string, string>;
  const values = { CODE: '2d6b', STATUS: 'down', NOW: '2026-11-24T07:10:04Z', NAME_JSON: '"Cadangan \\"malam\\""' };
  const router = file('mikrotik.rsc');
  const setting = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(router)?.[1] ?? '';
  const sketch = file('notif-esp32.ino');
  // Its expressions are JavaScript too.
  const known = { notif_key: key, once: 'abc', user_id: userId, judul: 'Suhu', isi: '31 °C' };
  const evaluate = (text = '') => new Function(...Object.keys(known), `return ${text}`)(...Object.values(known));
  const headers = [...sketch.matchAll(/addHeader\("([^"]+)", ([^)]+)\)/g)];
  return [
    {
      url: `${baseUrl}/api/v1/notif.php`,
      headers: asHeaders(fill(file('healthchecks-headers'), values), '\n'),
      body: fill(file('healthchecks-body'), values),
    },
    { url: setting('url'), headers: asHeaders(setting('http-header-field'), ','), body: setting('http-data') },
    {
      url: /begin\(client, "([^"]+)"\)/.exec(sketch)?.[1] ?? '',
      headers: Object.fromEntries(headers.map(([, name = '', value]) => [name, evaluate(value)])),
      body: evaluate(/String body = ([^;]+);/.exec(sketch)?.[1]),
    },
  ];
}

for (const { name, needs, act, becomes } of systems)
  test.skipIf(lacks('curl', ...needs))(`monitoring: ${name}, set as printed, sends, and nothing twice`, async () => {
    const server = await setUpServer();
    await act(server);
    expect(await server.stored()).toEqual(becomes);
  });
