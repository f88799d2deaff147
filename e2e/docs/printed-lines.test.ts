import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from '#db/client.ts';
import { type Company, makeCompany } from '#e2e/support/data/company.ts';
import { makePlace } from '#e2e/support/data/traces.ts';
import { ask, withKey } from '#e2e/support/http/interface.ts';
import { printed, printedPage } from '#e2e/support/http/printed.ts';
import { lacks } from '#e2e/support/programs.ts';
import { generateKey } from '#server/keys/keys.ts';

type Run = Awaited<ReturnType<typeof runLines>>;

/** Runs lines of a page as a reader would, with nothing set but what the page tells to set. */
async function runLines(lines: string, variables: Record<string, string>, { typed = '', folder = tmpdir() } = {}) {
  const env = { PATH: process.env.PATH, ...variables };
  const options = { extendEnv: false, all: true, reject: false, stripFinalNewline: false } as const;
  const asked = { cwd: folder, env, input: typed, ...options };
  const { exitCode = -1, all } = await execa('bash', ['--norc', '-c', lines], asked);
  return { code: exitCode, output: all };
}

function answerOf({ code, output }: Run): unknown {
  expect([code, output]).toEqual([0, expect.stringMatching(/^\{.*\}$/)]);
  return JSON.parse(output);
}

async function linesOf(page: string, language: string): Promise<string[]> {
  return (await printed(page, 'en')).filter((block) => block.language === language).map(({ text }) => text);
}

const withCurl = test.skipIf(lacks('curl'));

const toEmployee = (lines: string, id: number) => lines.replace('user_id=7', `user_id=${id}`);

const listStored = ({ owner }: Company) => sql()`
  select recipient_id, title, body, kind, url from notifications where company_id = ${owner.companyId} order by no`;

withCurl('quick start: the printed lines read the key unseen, check it, list employees and send', async () => {
  const company = await makeCompany('PT Contoh');
  const key = await company.newKey('n8n gaji');
  const { employeeId } = await company.hire('Karyawan Satu', 'Kasir');
  await company.hire('Karyawan Dua');
  const [take = '', ping = '', list = '', send = ''] = await linesOf('start', 'sh');
  const [pingAnswer = '', listAnswer = '', sendAnswer = ''] = await linesOf('start', 'json');

  const checked = await runLines(`${take}\n${ping}`, {}, { typed: `${key}\n` });
  expect(answerOf(checked)).toEqual(JSON.parse(pingAnswer));
  const [first] = (answerOf(await runLines(list, { NOTIF_KEY: key })) as { karyawan: object[] }).karyawan;
  const [example] = (JSON.parse(listAnswer) as { karyawan: object[] }).karyawan;
  expect(first).toEqual({ ...example, user_id: employeeId });
  const sent = await runLines(toEmployee(send, employeeId), { NOTIF_KEY: key });
  expect(answerOf(sent)).toEqual(JSON.parse(sendAnswer));
  expect(await listStored(company)).toMatchObject([{ recipient_id: employeeId, title: 'Halo', url: null }]);
});

test('quick start: the lines for Windows make the same requests as the others', async () => {
  const [, ...plain] = (await linesOf('start', 'sh')).map((lines) => lines.replaceAll(' \\\n  ', ' '));
  for (const [shell, variable] of Object.entries({ bat: '%NOTIF_KEY%', powershell: '$env:NOTIF_KEY' })) {
    const [, ...lines] = await linesOf('start', shell);
    const begun = `curl.exe -sS -H "X-API-Key: ${variable}" `;
    expect(lines.filter((line) => !line.startsWith(begun) || /[^\x20-\x7e]|'/.test(line))).toEqual([]);
    expect(lines.map((line) => line.replace(begun, 'curl -sS -H "X-API-Key: $NOTIF_KEY" '))).toEqual(plain);
  }
});

withCurl('send: the printed lines send the same notification as JSON and as a form', async () => {
  const { company, key, employee } = await makePlace('kunci');
  const [json = '', form = ''] = await linesOf('send', 'sh');
  const [answer = ''] = await linesOf('send', 'json');
  const asJson = json.replace('"user_id": 7', `"user_id": ${employee.employeeId}`);
  for (const lines of [asJson, toEmployee(form, employee.employeeId)])
    expect(answerOf(await runLines(lines, { NOTIF_KEY: key }))).toEqual(JSON.parse(answer));
  const [first, second, ...more] = await listStored(company);
  expect(first).toMatchObject({ recipient_id: employee.employeeId, kind: 'gaji', url: '/portal/notifications' });
  expect([second, more]).toEqual([first, []]);
});

withCurl('retry: the printed line with an Idempotency-Key, run twice, sends once', async () => {
  const { company, key, employee } = await makePlace('kunci');
  const [once = ''] = await linesOf('retry', 'sh');
  const send = () => runLines(toEmployee(once, employee.employeeId), { NOTIF_KEY: key });
  const [first, second] = [await send(), await send()];
  expect(first.output).toMatch(/^HTTP\/1\.1 200 [\s\S]*\{"ok":true,"terkirim":1\}$/);
  expect(first.output).not.toContain('Idempotent-Replayed');
  expect(second.output).toMatch(/^Idempotent-Replayed: true\r\n[\s\S]*\{"ok":true,"terkirim":1\}$/m);
  expect(await listStored(company)).toHaveLength(1);
});

withCurl('retry: the printed loop over a file of Excel, run twice, sends each line once', async () => {
  const { company, key, employee } = await makePlace('kunci');
  const ids = [employee.employeeId, (await company.hire()).employeeId];
  const [, loop = ''] = await linesOf('retry', 'sh');
  const [, line = ''] = /`(7;[^`]+)`/.exec(await printedPage('retry', 'en')) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'notif-words-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const lines = [ids[0], '', ids[1]].map((id) => line.replace('7', String(id)));
  await writeFile(join(folder, 'gaji.csv'), `\ufeff${lines.join('\r\n')}`);
  for (let time = 0; time < 2; time++) {
    const { output } = await runLines(loop, { NOTIF_KEY: key }, { folder });
    expect(output.match(/\{"ok":true,"terkirim":1\} user_id=\d+/g)).toHaveLength(2);
    expect(output).toContain('"code":"user_id_empty"');
  }
  const body = line.split(';')[2];
  expect(await listStored(company)).toMatchObject(ids.map((recipient_id) => ({ recipient_id, body })));
});

test('limits: the headers of an answer are the printed ones', async () => {
  const key = await (await makeCompany()).newKey();
  const { headers } = await ask('?aksi=ping', { headers: withKey(key) });
  const [shown = ''] = await linesOf('limits', 'http');
  const lines = shown.split('\n').map((line) => line.split(': ') as [string, string]);
  expect(lines).toHaveLength(4);
  for (const [name, value] of lines) expect(headers.get(name), name).toBe(value);
});

withCurl('troubleshooting: the printed line shows the request id and the sentence of an answer', async () => {
  const [show = ''] = await linesOf('troubleshooting', 'sh');
  const { output } = await runLines(show, { NOTIF_KEY: generateKey() });
  expect(output).toMatch(/^X-Request-Id: [0-9a-f-]{36}\r$/m);
  expect(output).toContain('"code":"key_rejected"');
});
