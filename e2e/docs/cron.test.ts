import { expect, test } from 'vitest';
import { audited, makeReader, printedBlock, sentTo, throughProxy } from '#e2e/support/http/reader.ts';
import { lacks } from '#e2e/support/programs.ts';

const checked = test.skipIf(lacks('curl')).concurrent;
const lines = async (file: string) => (await printedBlock('cron', file)).text;
const commandOf = (line: string) => line.replace(/^(\S+\s+){5}/, '');

// The environment of a cron job: no key, a short path, and a curl that records its own arguments.
async function setUpCron() {
  const reader = await makeReader();
  await reader.keep('.notif-key', (await lines('export NOTIF_KEY=jss_')).replace('jss_…', reader.key));
  await reader.keep('bin/notif-cron.sh', await lines('notif-cron.sh'), 0o700);
  await reader.keep(
    'seen/curl',
    '#!/bin/sh\nprintf "%s\\n" "$0" "$@" >> "$HOME/seen.txt"\nexec /usr/bin/curl "$@"\n',
    0o700,
  );
  const environment = { HOME: reader.home, PATH: `${reader.home}/seen:/usr/bin:/bin` };
  const cron = (line: string) => reader.run(`unset NOTIF_KEY; ${commandOf(line)}`, environment);
  return { ...reader, environment, cron };
}

checked(
  'cron: the line that runs three times a morning sends once, and the key is in no list of processes',
  async () => {
    const { cron, run, arrived, environment, userId, key } = await setUpCron();
    const line = await lines('crontab-morning.txt');
    expect(line).toMatch(/^45,50,55 7 \* \* 1-5 \S/);
    for (let time = 0; time < 3; time++) expect(await cron(line)).toEqual({ code: 0, out: '', err: '' });
    const trial = await lines('. ~/.notif-key');
    const tried = await run(trial, { ...environment, USER_ID: userId });
    expect(tried).toEqual({ code: 0, out: `percobaan: HTTP 200: ${sentTo(1)}\n`, err: '' });
    const [seen, titles] = [await run('cat seen.txt'), [['Absen pagi', 'Percobaan cron'], ['Absen pagi']]];
    expect(seen.out).toContain('--config');
    expect(seen.out).not.toContain(key);
    expect(await arrived()).toEqual({ titles, audited: audited(2, 1) });
  },
);

checked('cron: a backup that fails is reported, and one that succeeds is not', async () => {
  const { cron, keep, arrived } = await setUpCron();
  const line = await lines('crontab-backup.txt');
  await keep('bin/backup.sh', '#!/bin/sh\nexit 0\n', 0o700);
  expect(await cron(line)).toEqual({ code: 0, out: '', err: '' });
  expect((await arrived()).audited).toEqual([]);
  await keep('bin/backup.sh', '#!/bin/sh\nexit 3\n', 0o700);
  expect(await cron(line)).toEqual({ code: 0, out: '', err: '' });
  expect((await arrived()).titles[1]).toEqual(['Cadangan data gagal']);
});

checked('cron: a lost answer, 503 and 429 are repeated with the key of job and day, sent once', async () => {
  const { cron, keep, arrived } = await setUpCron();
  const { text, proxy } = await throughProxy(await lines('notif-cron.sh'));
  await keep('bin/notif-cron.sh', text, 0o700);
  expect(await cron(await lines('crontab-morning.txt'))).toMatchObject({ code: 0, out: '' });
  await proxy.stop();
  expect(proxy.onceKeys).toHaveLength(4);
  expect(new Set(proxy.onceKeys).size).toBe(1);
  expect(proxy.onceKeys[0]).toMatch(/^absen-pagi-\d{4}-\d{2}-\d{2}$/);
  expect(proxy.replayed).toEqual([false, true]);
  expect((await arrived()).audited).toEqual(audited(2));
});

checked('cron: a refusal is on stderr with its sentence, is asked once, and leaves no file behind', async () => {
  const { cron, keep, run, home, revoke } = await setUpCron();
  const { text, proxy } = await throughProxy(await lines('notif-cron.sh'), []);
  await keep('bin/notif-cron.sh', text, 0o700);
  await keep('tmp/keep', '');
  const line = (await lines('crontab-morning.txt')).replace('. "', `export TMPDIR=${home}/tmp; . "`);
  const emptyId = await cron(line.replace('jenis=absen', 'user_id='));
  expect(emptyId).toMatchObject({ code: 1, out: '' });
  expect(emptyId.err).toMatch(/^absen-pagi: HTTP 400: \{"ok":false,"error":".*"field":"user_id"\}\n$/);
  await revoke();
  const rejected = await cron(line);
  expect(rejected).toMatchObject({ code: 1, out: '' });
  expect(rejected.err).toMatch(/^absen-pagi: HTTP 401: \{"ok":false,"error":".*"code":"key_rejected"\}\n$/);
  await proxy.stop();
  expect(proxy.onceKeys).toHaveLength(2);
  expect((await run('ls tmp')).out).toBe('keep\n');
});
