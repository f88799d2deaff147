import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { audited, makeReader, printedBlock, sentTo, throughProxy } from '#e2e/support/http/reader.ts';
import { lacks } from '#e2e/support/programs.ts';

const withCurl = test.skipIf(lacks('curl')).concurrent;
const withWget = test.skipIf(lacks('wget')).concurrent;
const lines = async (recipe: string, file: string) => (await printedBlock(recipe, file)).text;

withCurl('curl: as printed it checks, lists and sends; a refusal is printed, ends with 22, is asked once', async () => {
  const { run, company, userId, arrived, revoke } = await makeReader();
  const ping = { ok: true, key: 'resep', perusahaan: company.owner.companyName };
  expect(await run(await lines('curl', 'curl-ping.sh'))).toEqual({ code: 0, out: JSON.stringify(ping), err: '' });
  const listed = JSON.parse((await run(await lines('curl', 'curl-list.sh'))).out);
  expect(listed.karyawan.map(({ nama }: { nama: string }) => nama)).toEqual(['Karyawan Satu', 'Karyawan Dua']);
  const toOne = await lines('curl', 'curl-one.sh');
  expect(await run(toOne, { USER_ID: userId })).toEqual({ code: 0, out: sentTo(1), err: '' });
  expect(await run(await lines('curl', 'curl-form.sh'))).toEqual({ code: 0, out: sentTo(2), err: '' });
  expect(await run(await lines('curl', 'curl-json.sh'))).toEqual({ code: 0, out: sentTo(2), err: '' });
  const unset = await run(toOne);
  expect([unset.code, JSON.parse(unset.out).field]).toEqual([22, 'user_id']);
  await revoke();
  for (const file of ['curl-ping.sh', 'curl-list.sh', 'curl-json.sh', 'curl-form.sh', 'curl-one.sh']) {
    const { code, out } = await run(await lines('curl', file), { USER_ID: '1' });
    expect([code, JSON.parse(out).code], file).toEqual([22, 'key_rejected']);
  }
  const { text, proxy } = await throughProxy(await lines('curl', 'curl-retry.sh'), []);
  const refused = await run(text);
  expect([refused.code, JSON.parse(refused.out).code]).toEqual([1, 'key_rejected']);
  await proxy.stop();
  expect(proxy.onceKeys).toHaveLength(1);
  const [everyone, one] = [['Gaji November sudah masuk', 'Rapat pukul 10'], ['Kasbon disetujui']];
  expect(await arrived()).toEqual({ titles: [[...one, ...everyone], everyone], audited: audited(1, 2, 2) });
});

withWget('wget: as printed it checks the key and sends, to one person and to everyone', async () => {
  const { run, company, userId, arrived } = await makeReader();
  const ping = await run(await lines('wget', 'wget-ping.sh'));
  expect([ping.code, JSON.parse(ping.out).perusahaan]).toEqual([0, company.owner.companyName]);
  const toOne = await lines('wget', 'wget-one.sh');
  expect(await run(toOne, { USER_ID: userId })).toMatchObject({ code: 0, out: sentTo(1) });
  expect(await run(await lines('wget', 'wget-send.sh'))).toMatchObject({ code: 0, out: sentTo(2) });
  const titles = [['Kasbon disetujui', 'Rapat pukul 10'], ['Rapat pukul 10']];
  expect(await arrived()).toEqual({ titles, audited: audited(1, 2) });
});

for (const [recipe, withRecipe] of Object.entries({ curl: withCurl, wget: withWget }))
  withRecipe(`${recipe}: its own retries after a lost answer, 503 and 429 send one notification`, async () => {
    const { run, arrived } = await makeReader();
    const printed = await lines(recipe, `${recipe}-retry.sh`);
    const { text, proxy } = await throughProxy(printed);
    expect(await run(text)).toMatchObject({ code: 0, out: sentTo(2) });
    await proxy.stop();
    expect(proxy.onceKeys).toEqual(Array(4).fill(proxy.onceKeys[0]));
    expect(proxy.replayed).toEqual([false, true]);
    expect(await run(printed)).toMatchObject({ code: 0, out: sentTo(2) });
    expect((await arrived()).audited).toEqual(audited(2));
  });

const cronLines = (file: string) => lines('cron', file);
const commandOf = (line: string) => line.replace(/^(\S+\s+){5}/, '');

// The environment of a cron job: no key, a short path, and a curl that records its own arguments.
async function setUpCron() {
  const reader = await makeReader();
  await reader.keep('.notif-key', (await cronLines('export NOTIF_KEY=jss_')).replace('jss_…', reader.key));
  await reader.keep('bin/notif-cron.sh', await cronLines('notif-cron.sh'), 0o700);
  const record = 'printf "%s\\n" "$0" "$@" >> "$HOME/seen.txt"';
  await reader.keep('seen/curl', `#!/bin/sh\n${record}\nexec /usr/bin/curl "$@"\n`, 0o700);
  const environment = { HOME: reader.home, PATH: `${reader.home}/seen:/usr/bin:/bin` };
  const cron = (line: string) => reader.run(`unset NOTIF_KEY; ${commandOf(line)}`, environment);
  return { ...reader, environment, cron };
}

const quiet = { code: 0, out: '', err: '' };

withCurl('cron: the line sends once a morning, the key is in no list of processes; a failed backup tells', async () => {
  const { cron, run, keep, arrived, environment, userId, key } = await setUpCron();
  const line = await cronLines('crontab-morning.txt');
  expect(line).toMatch(/^45,50,55 7 \* \* 1-5 \S/);
  for (let time = 0; time < 3; time++) expect(await cron(line)).toEqual(quiet);
  const tried = await run(await cronLines('. ~/.notif-key'), { ...environment, USER_ID: userId });
  expect(tried).toEqual({ code: 0, out: `percobaan: HTTP 200: ${sentTo(1)}\n`, err: '' });
  for (const code of [0, 3]) {
    await keep('bin/backup.sh', `#!/bin/sh\nexit ${code}\n`, 0o700);
    expect(await cron(await cronLines('crontab-backup.txt'))).toEqual(quiet);
  }
  const [seen, everyone] = [await run('cat seen.txt'), ['Absen pagi', 'Cadangan data gagal']];
  expect(seen.out).toContain('--config');
  expect(seen.out).not.toContain(key);
  const titles = [['Absen pagi', 'Percobaan cron', 'Cadangan data gagal'], everyone];
  expect(await arrived()).toEqual({ titles, audited: audited(2, 1, 2) });
});

withCurl('cron: a lost answer, 503 and 429 are repeated with the key of job and day, sent once', async () => {
  const { cron, keep, arrived } = await setUpCron();
  const { text, proxy } = await throughProxy(await cronLines('notif-cron.sh'));
  await keep('bin/notif-cron.sh', text, 0o700);
  expect(await cron(await cronLines('crontab-morning.txt'))).toMatchObject({ code: 0, out: '' });
  await proxy.stop();
  expect(proxy.onceKeys[0]).toMatch(/^absen-pagi-\d{4}-\d{2}-\d{2}$/);
  expect(proxy.onceKeys).toEqual(Array(4).fill(proxy.onceKeys[0]));
  expect(proxy.replayed).toEqual([false, true]);
  expect((await arrived()).audited).toEqual(audited(2));
});

withCurl('cron: a refusal is on stderr with its sentence, is asked once, and leaves no file behind', async () => {
  const { cron, keep, run, home, revoke } = await setUpCron();
  const { text, proxy } = await throughProxy(await cronLines('notif-cron.sh'), []);
  await keep('bin/notif-cron.sh', text, 0o700);
  await keep('tmp/keep', '');
  const line = (await cronLines('crontab-morning.txt')).replace('. "', `export TMPDIR=${home}/tmp; . "`);
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

type Workflow = { jobs: Record<string, { steps: { run?: string }[] }> };

// What GitHub sets for a step, and its shell; the secret is in NOTIF_KEY already.
const repository = { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'pt-contoh/toko' };
const job = { GITHUB_WORKFLOW: 'deploy', GITHUB_RUN_ID: '1234567890', GITHUB_RUN_ATTEMPT: '1' };
const github = { ...repository, ...job, GITHUB_REF_NAME: `fitur/${'panjang-'.repeat(20)}` };
const inBash = 'bash -e step.sh';

withCurl('GitHub Actions: the last step sends after a failed one; a refusal fails it and is asked once', async () => {
  const { run, keep, arrived, revoke } = await makeReader();
  const workflow = parse((await printedBlock('github-actions', 'deploy.yml')).text) as Workflow;
  const step = workflow.jobs.deploy?.steps.at(-1);
  const text = step?.run ?? '';
  expect(step).toMatchObject({ if: 'failure()', env: { NOTIF_KEY: `\${{ secrets.NOTIF_KEY }}` } });
  expect(text).not.toMatch(/\$\{\{/);
  const { text: stumbling, proxy } = await throughProxy(text);
  await keep('step.sh', stumbling);
  expect(await run(inBash, github)).toMatchObject({ code: 0, out: sentTo(2) });
  await proxy.stop();
  expect(proxy.onceKeys).toEqual(Array(4).fill('1234567890-1'));
  await keep('step.sh', text);
  expect(await run(inBash, github)).toMatchObject({ code: 0, out: sentTo(2) });
  const { titles, audited: rows } = await arrived();
  expect(titles[0]).toEqual([`Gagal: deploy, ${github.GITHUB_REF_NAME}`.slice(0, 120)]);
  expect(rows).toEqual(audited(2));
  await revoke();
  const refusing = await throughProxy(text, []);
  await keep('step.sh', refusing.text);
  const rejected = await run(inBash, github);
  expect([rejected.code, JSON.parse(rejected.out).code]).toEqual([1, 'key_rejected']);
  await refusing.proxy.stop();
  expect(refusing.proxy.onceKeys).toHaveLength(1);
});
