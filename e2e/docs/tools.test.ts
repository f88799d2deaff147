import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { execa } from 'execa';
import { marked, type Tokens } from 'marked';
import { expect, onTestFinished, test } from 'vitest';
import { makePlace, readTraces, refusalOf } from '#e2e/support/data/traces.ts';
import { printed, printedPage } from '#e2e/support/http/printed.ts';
import { lacks, programPath } from '#e2e/support/programs.ts';
import type { Language } from '#platform/language.ts';

/** A spreadsheet with one sheet, as its script sees it. Each cell holds the displayed text. */
type Sheet = { name: string; cells: string[][] };

type Options = { method: string; contentType: string; headers: Record<string, string>; payload: string };

// UrlFetchApp is synchronous, so a separate process sends the request.
const asking = `
  let text = '';
  for await (const part of process.stdin) text += part;
  const { url, options } = JSON.parse(text);
  const headers = { ...options.headers, 'Content-Type': options.contentType };
  const response = await fetch(url, { method: options.method.toUpperCase(), headers, body: options.payload });
  console.log(JSON.stringify({ status: response.status, text: await response.text() }));`;

function fetchAndWait(url: string, options: Options) {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', asking], {
    input: JSON.stringify({ url, options }),
    encoding: 'utf8',
  });
  const { status, text } = JSON.parse(stdout) as { status: number; text: string };
  return { getResponseCode: () => status, getContentText: () => text };
}

/** Runs a function of a script with stand-ins for Google's services; returns its warnings. */
function runScript(source: string, run: string, sheet: Sheet, properties: Record<string, string>): string[] {
  const warnings: string[] = [];
  const services = {
    console: { warn: (text: string) => warnings.push(text) },
    PropertiesService: { getScriptProperties: () => ({ getProperty: (name: string) => properties[name] ?? null }) },
    SpreadsheetApp: { getActiveSpreadsheet: () => spreadsheetOf(sheet), flush: () => {} },
    UrlFetchApp: { fetch: fetchAndWait },
    Utilities: {
      DigestAlgorithm: { SHA_256: 'sha256' },
      Charset: { UTF_8: 'utf8' },
      computeDigest: (algorithm: string, text: string) => [...createHash(algorithm).update(text).digest()],
      base64EncodeWebSafe: (bytes: number[]) =>
        Buffer.from(bytes).toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
      sleep: () => {},
    },
  };
  runInContext(`${source}\n${run}();`, createContext(services));
  return warnings;
}

const spreadsheetOf = ({ name, cells }: Sheet) => ({
  getId: () => '1AbCdEf',
  getSheetByName: (wanted: string) => (wanted === name ? sheetOf(cells) : null),
});

const sheetOf = (cells: string[][]) => ({
  getDataRange: () => ({ getDisplayValues: () => cells.map((row) => [...row]) }),
  getRange: (row: number, column: number) => ({
    setValue: (value: string) => {
      const found = cells[row - 1];
      if (found) found[column - 1] = value;
    },
  }),
});

const tooLong = 'é'.repeat(256);

/** The table of fields to fill, label by label, with the key in it. */
async function printedFields(recipe: string, language: Language, key: string): Promise<Map<string, string>> {
  const tables = marked.lexer(await printedPage(`recipes/${recipe}`, language)).filter(({ type }) => type === 'table');
  const asTexts = ({ rows }: Tokens.Table) => rows.map((row) => row.map(({ text }) => text.replaceAll('`', '')));
  const found = (tables as Tokens.Table[]).map(asTexts).find((rows) => rows.some(([label]) => label === 'URL'));
  return new Map(found?.map(([label = '', value = '']) => [label, value.replace('jss_…', key)]));
}

const under = (fields: Map<string, string>, group: string) =>
  Object.fromEntries(
    [...fields].flatMap(([label, value]) => (label.startsWith(group) ? [[label.slice(group.length), value]] : [])),
  );

/** The request each tool makes of its filled fields. */
const tools = {
  zapier: (fields: Map<string, string>) => {
    expect(fields.get('Payload Type')).toBe('json');
    const headers = { ...under(fields, 'Headers: '), 'Content-Type': 'application/json' };
    return { headers, body: JSON.stringify(under(fields, 'Data: ')) };
  },
  make: (fields: Map<string, string>) => {
    expect([fields.get('Method'), fields.get('Authentication type')]).toEqual(['POST', 'API key']);
    const { Key = '', 'API key parameter name': name = '' } = under(fields, 'Credentials: ');
    const type = fields.get('Body content type') ?? '';
    const headers = { ...under(fields, 'Headers: '), [name]: Key, 'Content-Type': type };
    return { headers, body: new URLSearchParams(under(fields, 'Body: ')).toString() };
  },
};

for (const [recipe, asRequest] of Object.entries(tools))
  test(`${recipe}: the printed fields are a send that can be repeated; a long text is refused`, async () => {
    const { company, employee, key } = await makePlace(recipe);
    await company.hire('Orang lain');
    const fields = await printedFields(recipe, 'id', key);
    expect(await printedFields(recipe, 'en', key)).toEqual(fields);
    const recipient = [...fields.keys()].find((label) => label.endsWith(': user_id')) ?? 'none';
    expect(fields.get(recipient)).toBe('7');
    fields.set(recipient, String(employee.employeeId));
    const run = async () => {
      const response = await fetch(fields.get('URL') ?? '', { method: 'POST', ...asRequest(fields) });
      return (await response.json()) as Record<string, unknown>;
    };
    expect([await run(), await run()]).toEqual(Array(2).fill({ ok: true, terkirim: 1 }));
    expect(await readTraces(company, employee)).toEqual({
      inbox: [{ title: 'Pesanan baru', body: 'Pesanan 1001 dari Toko Contoh, 3 barang.' }],
      audit: [{ key: recipe, title: 'Pesanan baru' }],
    });
    for (const label of fields.keys()) if (label.endsWith(': isi')) fields.set(label, tooLong);
    expect((await run()).error).toBe(await refusalOf(key, { judul: 'Pesanan baru', isi: tooLong }));
  });

test.skipIf(lacks('apprise'))('apprise: the printed command notifies one or all; a refusal ends with 1', async () => {
  const { company, employee, key } = await makePlace('apprise');
  const other = await company.hire('Orang lain');
  const home = await mkdtemp(join(tmpdir(), 'notif-apprise-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const blocks = await printed('recipes/apprise', 'id');
  const [prepare = '', command = ''] = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
  const settings = blocks.find(({ language }) => language === 'text')?.text.replace('jss_…', key) ?? '';
  const sh = async (line: string) => {
    const options = { env: { PATH: programPath, HOME: home }, all: true, reject: false } as const;
    const { exitCode, all } = await execa('sh', ['-c', line], options);
    return { code: exitCode, said: all };
  };
  await sh(prepare);
  expect(settings).toContain('&:user_id=7');
  for (const userId of [`&:user_id=${employee.employeeId}`, '&:user_id=0']) {
    const line = `${settings.replace('&:user_id=7', userId)}\n`;
    await writeFile(join(home, '.config', 'apprise.conf'), line);
    expect(await sh(command)).toEqual({ code: 0, said: '' });
  }
  const [loud, words] = /`(-v+)`[^`]*`(Sent [^`]+)`/.exec(await printedPage('recipes/apprise', 'id'))?.slice(1) ?? [];
  expect((await sh(`${command} ${loud}`)).said).toContain(words);
  expect(await readTraces(company, employee)).toEqual({
    inbox: Array(3).fill({ title: 'Server penuh', body: 'Ruang disk di server-1 tinggal 5%.' }),
    audit: Array(3).fill({ key: 'apprise', title: 'Server penuh' }),
  });
  expect((await readTraces(company, other)).inbox).toHaveLength(2);
  const { code, said } = await sh(command.replace(/--body ".*"/, `--body "${'x'.repeat(256)}" -vvv`));
  const refusal = await refusalOf(key, { judul: 'a', isi: 'x'.repeat(256) });
  expect([code, said.replaceAll('\\', '')]).toEqual([1, expect.stringContaining(refusal.replaceAll('\\', ''))]);
});

test('Apps Script: each row without a status is sent once; an empty user_id is refused', async () => {
  const { company, employee, key } = await makePlace('lembar');
  await company.hire('Orang lain');
  const source = (await printed('recipes/apps-script', 'id')).find(({ file }) => file === 'sheet.gs')?.text ?? '';
  const cells = [
    ['Timestamp', 'Judul', 'Isi', 'user_id', 'Status'],
    ['1', 'Rapat', 'Pukul 10 é 😀', '0', ''],
    ['2', 'Sudah', 'lama', '0', 'Terkirim ke 9 karyawan'],
    ['3', 'Slip', 'Slip gaji', String(employee.employeeId), ''],
    ['4', 'Kosong', 'Penerima lupa diisi', '', ''],
    ['5', 'Panjang', tooLong, '0', ''],
    ['6', 'Setengah diketik', '', '0', ''],
  ];
  const sheet = { name: 'Notifikasi', cells };
  const run = () => runScript(source, 'sendNewRows', sheet, { NOTIF_KEY: key });
  // Requested before the runs, which block this process: it would not notice a closed idle connection.
  const statuses = [
    ...['Status', 'Terkirim ke 2 karyawan', 'Terkirim ke 9 karyawan', 'Terkirim ke 1 karyawan'],
    `Ditolak: ${await refusalOf(key, { judul: 'Kosong', isi: 'Penerima lupa diisi', user_id: '' })}`,
    `Ditolak: ${await refusalOf(key, { judul: 'Panjang', isi: tooLong, user_id: '0' })}`,
    '',
  ];
  expect(run()).toEqual([]);
  expect(cells.map((row) => row[4])).toEqual(statuses);
  for (const row of cells.slice(1, 2)) row[4] = '';
  run();
  expect(cells.map((row) => row[4])).toEqual(statuses);
  const traces = await readTraces(company, employee);
  expect(traces.inbox).toEqual([
    { title: 'Rapat', body: 'Pukul 10 é 😀' },
    { title: 'Slip', body: 'Slip gaji' },
  ]);
  expect(traces.audit).toEqual(['Rapat', 'Slip'].map((title) => ({ key: 'lembar', title })));
  for (const row of cells.slice(1)) row[4] = '';
  expect(() => runScript(source, 'sendNewRows', sheet, { NOTIF_KEY: `${key.slice(0, -1)}-` })).toThrow(/jss_/);
  expect(cells.slice(1).map((row) => row[4])).toEqual(cells.slice(1).map(() => ''));
});
