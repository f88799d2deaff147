import { expect, test, vi } from 'vitest';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import { baseUrl, sendJson } from '#e2e/support/http/interface.ts';
import { printed } from '#e2e/support/http/printed.ts';
import { audited, makeReader, printedBlock, sentTo, throughProxy } from '#e2e/support/http/reader.ts';
import { lacks, type Program } from '#e2e/support/programs.ts';
import type { Failure } from '#e2e/support/proxies/proxy.ts';

const programs: { recipe: string; file: string; command: string; needs: Program[] }[] = [
  { recipe: 'php', file: 'notif.php', command: 'php', needs: ['php'] },
  { recipe: 'guzzle', file: 'notif-guzzle.php', command: 'php', needs: ['php', 'guzzle'] },
  { recipe: 'python-requests', file: 'notif_requests.py', command: 'python3', needs: ['python3', 'python3 requests'] },
  { recipe: 'python', file: 'notif.py', command: 'python3', needs: ['python3'] },
  { recipe: 'node', file: 'notif.mjs', command: 'node', needs: [] },
  { recipe: 'go', file: 'notif.go', command: 'go run', needs: ['go'] },
];

const inIndonesian = { 'Accept-Language': 'id' };

// The first run of Go on a machine compiles its library; three at once would each do it.
vi.setConfig({ testTimeout: 180_000 });
let compiled: Promise<unknown> | undefined;

/** A reader who saved the program, and the two printed commands: to one person, to everyone. */
async function readRecipe({ recipe, file, command }: (typeof programs)[number], failures?: Failure[]) {
  const reader = await makeReader();
  const { text } = await printedBlock(recipe, file);
  const stumbling = failures && (await throughProxy(text, failures));
  await reader.keep(file, stumbling?.text ?? text);
  // What `composer require guzzlehttp/guzzle` would bring, as Debian packages it.
  await reader.keep('vendor/autoload.php', "<?php require 'GuzzleHttp/autoload.php';");
  if (command === 'go run') {
    compiled ??= reader.run(`go build -o /dev/null ${file}`);
    await compiled;
  }
  const [toOne = '', toEveryone = ''] = (await printed(`recipes/${recipe}`, 'id'))
    .map(({ text }) => text)
    .filter((line) => line.startsWith(`${command} ${file} `));
  return { reader, toEveryone, toOne, proxy: stumbling?.proxy };
}

for (const program of programs) {
  const testProgram = test.skipIf(lacks(...program.needs)).concurrent;
  testProgram(`${program.recipe}: as printed it sends to one person and to everyone, prints the count`, async () => {
    const { reader, toEveryone, toOne } = await readRecipe(program);
    const letters = toOne.replace('Kasbon disetujui', 'Kasbon – \'é\' \\"✓\\" <b>');
    expect(await reader.run(letters, { USER_ID: reader.userId })).toEqual({ code: 0, out: 'terkirim: 1\n', err: '' });
    expect(await reader.run(toEveryone)).toEqual({ code: 0, out: 'terkirim: 2\n', err: '' });
    expect(await reader.arrived()).toEqual({
      titles: [[`Kasbon – 'é' "✓" <b>`, 'Rapat pukul 10'], ['Rapat pukul 10']],
      audited: audited(1, 2),
    });
  });

  testProgram(`${program.recipe}: a lost answer, 503 and 429 repeat with one Idempotency-Key, sent once`, async () => {
    const { reader, toEveryone, proxy } = await readRecipe(program, ['answer lost', 503, 429]);
    expect(await reader.run(toEveryone)).toEqual({ code: 0, out: 'terkirim: 2\n', err: '' });
    await proxy?.stop();
    expect(proxy?.onceKeys[0]).toMatch(/^[0-9a-f-]{32,36}$/);
    expect(proxy?.onceKeys).toEqual(Array(4).fill(proxy?.onceKeys[0]));
    expect(proxy?.replayed).toEqual([false, true]);
    expect((await reader.arrived()).audited).toEqual(audited(2));
  });

  testProgram(`${program.recipe}: a refusal is printed, is not repeated, and the exit code is not 0`, async () => {
    const { reader, toEveryone, toOne, proxy } = await readRecipe(program, []);
    const emptyId = await sendJson(reader.key, { judul: 'Judul', isi: 'Isi', user_id: '' }, inIndonesian);
    const unset = await reader.run(toOne);
    expect([unset.out, unset.code]).toEqual(['', 1]);
    expect(unset.err).toContain(`HTTP 400: ${emptyId.json.error}\n`);
    await reader.revoke();
    const revoked = await sendJson(reader.key, {}, inIndonesian);
    const rejected = await reader.run(toEveryone);
    expect([rejected.out, rejected.code]).toEqual(['', 1]);
    expect(rejected.err).toContain(`HTTP 401: ${revoked.json.error}\n`);
    await proxy?.stop();
    expect(proxy?.onceKeys).toHaveLength(2);
    expect((await reader.arrived()).titles).toEqual([[], []]);
  });
}

async function parsePowerShell(text: string): Promise<Tree> {
  await Parser.init();
  const grammar = import.meta.resolve('tree-sitter-powershell/tree-sitter-powershell.wasm');
  const parser = new Parser();
  parser.setLanguage(await Language.load(new URL(grammar).pathname));
  const tree = parser.parse(text);
  if (!tree) throw new Error('The parser gave up.');
  return tree;
}

// Names and expressions of a hash table that is assigned to a variable, or is the value of a key.
function entriesOf(tree: Tree, owner: string): Record<string, string> {
  const holders = tree.rootNode.descendantsOfType(['assignment_expression', 'hash_entry']);
  const holder = holders.find((node) => node.child(0)?.text === owner);
  const [table, ...inner] = holder?.descendantsOfType('hash_literal_expression') ?? [];
  const nested = new Set(inner.flatMap((other) => other.descendantsOfType('hash_entry').map(({ id }) => id)));
  const own = table?.descendantsOfType('hash_entry').filter(({ id }) => !nested.has(id)) ?? [];
  return Object.fromEntries(own.map((entry) => [entry.child(0)?.text ?? '', entry.child(2)?.text ?? '']));
}

const unquoted = (text = '') => text.replace(/^'|'$/g, '');

test('PowerShell: the script parses, a damaged one does not, and the described request is accepted', async () => {
  const { text } = await printedBlock('powershell', 'notif.ps1');
  const tree = await parsePowerShell(text);
  expect(tree.rootNode.hasError).toBe(false);
  for (const damage of ['}', "'", '(', ')'])
    expect((await parsePowerShell(text.replace(damage, ''))).rootNode.hasError, damage).toBe(true);
  expect(entriesOf(tree, '$fields')).toEqual({ judul: '$Judul', isi: '$Isi' });
  const request = entriesOf(tree, '$request');
  expect(request.Body).toBe('[Text.Encoding]::UTF8.GetBytes($json)');
  const headers = entriesOf(tree, 'Headers');
  const once = '[guid]::NewGuid().ToString()';
  expect(headers).toEqual({ "'X-API-Key'": '$env:NOTIF_KEY', "'Accept-Language'": "'id'", "'Idempotency-Key'": once });
  expect(text).toContain('\n$json = ConvertTo-Json $fields -Compress\n');
  expect(unquoted(request.Uri)).toBe(`${baseUrl}/api/v1/notif.php`);

  const { key, arrived } = await makeReader();
  const method = unquoted(request.Method).toUpperCase();
  const body = JSON.stringify({ isi: 'Semua hadir di aula.', judul: 'Rapat – “é”' });
  const withType = { 'Content-Type': unquoted(request.ContentType), 'X-API-Key': key };
  const sent = await fetch(unquoted(request.Uri), { method, headers: withType, body: Buffer.from(body) });
  expect(await sent.text()).toBe(sentTo(2));
  expect(await arrived()).toEqual({ titles: [['Rapat – “é”'], ['Rapat – “é”']], audited: audited(2) });
});

// How each printed function becomes a program that cuts its standard input.
const wrappers: Record<string, { needs: Program[]; run: string; wrap: (text: string) => string }> = {
  sh: { needs: [], run: 'sh cut.sh', wrap: (text) => text.replace(/isi=\$\((.*) <.*\)/, '$1') },
  php: {
    needs: ['php'],
    run: 'php cut.php',
    wrap: (text) => `<?php\n${text}\necho cut_text(stream_get_contents(STDIN));`,
  },
  python: {
    needs: ['python3'],
    run: 'PYTHONIOENCODING=utf-8 python3 cut.py',
    wrap: (text) => `${text}\nimport sys\nsys.stdout.write(cut_text(sys.stdin.read()))`,
  },
  js: {
    needs: [],
    run: 'node cut.mjs',
    wrap: (text) =>
      `${text}\nimport { readFileSync } from 'node:fs';\nprocess.stdout.write(cutText(readFileSync(0, 'utf8')));`,
  },
  // PowerShell is not in Debian. Its calls of .NET are the same in C#.
  powershell: {
    needs: ['mono'],
    run: 'mcs -out:cut.exe cut.cs && mono cut.exe',
    wrap: (text) => {
      const [, bytes = '', cut = ''] = /\$bytes = (.*)\n\s*(.*)\n/.exec(text) ?? [];
      const sharp = (line: string) =>
        line.replace(/\[([\w.]+)\]::/g, 'System.$1.').replace(/\$(\w+)/g, (_, name) => name.toLowerCase());
      return `class Cut { static void Main() {
        var text = new System.IO.StreamReader(System.Console.OpenStandardInput()).ReadToEnd();
        var max = 255; var bytes = ${sharp(bytes)}; var cut = ${sharp(cut)};
        var all = new System.Text.UTF8Encoding(false).GetBytes(cut);
        System.Console.OpenStandardOutput().Write(all, 0, all.Length); } }`;
    },
  },
};

const long = ['a', 'é', '😀', 'e\u0301'].map((one) => one.repeat(300));
const texts = ['pendek', ...long, `${'a'.repeat(254)}👨‍👩‍👧`];

for (const [language, { needs, run, wrap }] of Object.entries(wrappers))
  test.skipIf(lacks(...needs))(`cut-text: ${language} keeps the first 255 characters, which are accepted`, async () => {
    const reader = await makeReader();
    const block = (await printed('recipes/cut-text', 'id')).find((one) => one.language === language);
    await reader.keep(/cut\.(?!exe)\w+/.exec(run)?.[0] ?? '', wrap(block?.text ?? ''));
    for (const [index, text] of texts.entries()) {
      await reader.keep(`${index}.txt`, text);
      const { out } = await reader.run(`(${run}) < ${index}.txt`);
      expect([...out], text).toEqual([...text].slice(0, 255));
      const sent = await sendJson(reader.key, { judul: 'Potong', isi: out, user_id: Number(reader.userId) });
      expect([sent.status, sent.json.terkirim]).toEqual([200, 1]);
    }
  });

// What programs make of a recipient that is written in their own ways. `$URL` and `$KEY` are those of the reader.
const php = (query: string) => `php -r '
  $h = curl_init(getenv("URL"));
  curl_setopt_array($h, [CURLOPT_RETURNTRANSFER => true, CURLOPT_HTTPHEADER => ["X-API-Key: " . getenv("KEY")],
    CURLOPT_POSTFIELDS => http_build_query(["judul" => "a", "isi" => "b"] + ${query})]);
  echo curl_exec($h);'`;
const requests = (more: string) => `python3 -c '
import os, requests
print(requests.post(os.environ["URL"], headers={"X-API-Key": os.environ["KEY"]}, ${more}).text)'`;
const curl = (...args: string[]) => `curl -sS "$URL" -H "X-API-Key: $KEY" ${args.join(' ')}`;
const fields = '"judul": "a", "isi": "b"';

const rows: [string, Program[], string][] = [
  ['PHP: a list', ['php'], php('["user_id" => [7]]')],
  ['PHP: a list with its own index', ['php'], php('["user_id" => [3 => 7]]')],
  ['PHP: a nested array', ['php'], php('["user" => ["id" => 7]]')],
  ['requests: params=', ['python3 requests'], requests(`params={"user_id": 7}, json={${fields}}`)],
  ['requests: a list in a form', ['python3 requests'], requests(`data={${fields}, "user_id[]": [7, 8]}`)],
  ['curl: an & of HTML', [], curl("-d 'judul=a&isi=b&amp;user_id=7'")],
  ['curl: a text with a bare &', [], curl("-d 'judul=Rapat & makan&isi=b'")],
  ['curl: a template that was not filled', [], curl("-F judul=a -F isi=b -F '{{user_id}}=7'")],
];

for (const [name, needs, command] of rows)
  test.skipIf(lacks(...needs))(`${name}: refused, and nobody gets it`, async () => {
    const reader = await makeReader();
    const variables = { URL: `${baseUrl}/api/v1/notif.php`, KEY: reader.key };
    const { out } = await reader.run(command, variables);
    expect(JSON.parse(out)).toMatchObject({ ok: false, code: 'recipient_unclear', field: 'user_id' });
    expect((await reader.arrived()).titles).toEqual([[], []]);
  });
