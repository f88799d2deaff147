import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { words } from '#e2e/support/data/random.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { printed, printedPage } from '#e2e/support/http/printed.ts';
import { root } from '#e2e/support/service/service.ts';
import { type Language, languages, locales } from '#platform/language.ts';
import { type FailureCode, failures } from '#server/api/failures.ts';

const base = process.env.SERVICE_URL ?? 'http://127.0.0.1:3000';

const ask = (path: string, language: Language) =>
  fetch(new URL(path, base), { headers: { 'Accept-Language': locales[language] } });

const list = await (await ask('/llms.txt?lang=en', 'en')).text();
const slugs = [...list.matchAll(/\/docs\/([\w/-]+)\.md\?lang=en/g)].map(([, slug = '']) => slug);

test('every page that there is has a place in the lists', () => {
  const written = globSync('**/*.md', { cwd: join(root, 'messages', 'id', 'docs') });
  // llms-small.md is a text for programs.
  const names = written.map((path) => path.replace('.md', '')).filter((name) => name !== 'llms-small');
  expect(slugs.toSorted()).toEqual(names.sort());
});

const outsideBlocks = (markdown: string) => markdown.replace(/^( *)(`{3,})[^\n]*\n[\s\S]*?^\1\2$/gm, '');

test('both languages of a page have the same programs, files and number of headings', async () => {
  const shape = async (slug: string, language: Language) => {
    const blocks = await printed(slug, language);
    const headings = outsideBlocks(await printedPage(slug, language)).match(/^#{1,6} /gm) ?? [];
    const kinds = blocks.map(({ language: kind, file, text }) => (file ? { kind, file, text } : { kind }));
    return { headings, kinds };
  };
  for (const slug of slugs) expect([slug, await shape(slug, 'id')]).toEqual([slug, await shape(slug, 'en')]);
});

test('a page begins with a title and a summary, as llms.txt has them, and has no placeholder left', async () => {
  for (const language of languages) {
    const list = await (await ask(`/llms.txt?lang=${language}`, language)).text();
    expect(list).toMatch(/^# .+\n\n> .+\n/);
    for (const slug of slugs) {
      const text = await printedPage(slug, language);
      const [title = '', summary = ''] = text.split('\n\n', 2);
      expect(title, slug).toMatch(/^# \S/);
      expect(summary, `${slug} ${language}`).toMatch(/^[^#\n`][^\n]{10,220}[.?]$/);
      expect(text, `${slug} ${language}`).not.toMatch(/\{\{\s*(base|code)\b/);
      expect(list).toContain(`- [${title.slice(2)}](${base}/docs/${slug}.md?lang=${language}): ${summary}\n`);
    }
  }
});

/** The anchors and the links of a page as people see it. */
async function look(path: string, language: Language) {
  const answer = await ask(path, language);
  const html = (await answer.text()).replace(/<script\b[\s\S]*?<\/script>/g, '');
  const found = (name: string) =>
    [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);
  const links = found('href').map((href) => href.replaceAll('&amp;', '&'));
  return { status: answer.status, anchors: new Set(found('id')), links };
}

test.each(languages)('every link within the documentation leads to a page and an anchor (%s)', async (language) => {
  const pages = new Map<string, ReturnType<typeof look>>();
  const open = (path: string) => {
    const page = pages.get(path) ?? look(path, language);
    pages.set(path, page);
    return page;
  };
  const starts = ['/docs', '/docs/search?q=401', ...slugs.map((slug) => `/docs/${slug}`)];
  const broken: string[] = [];
  for (const from of starts)
    for (const href of (await open(from)).links) {
      const url = new URL(href, new URL(from, base));
      if (url.origin !== new URL(base).origin || url.pathname.startsWith('/_next/')) continue;
      const to = await open(url.pathname + url.search);
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (to.status >= 400 || (anchor !== '' && !to.anchors.has(anchor)))
        broken.push(`${from} → ${href} (${to.status})`);
    }
  expect(broken).toEqual([]);
});

test('every error code has an anchor on the page of errors, in both languages and as Markdown', async () => {
  for (const language of languages) {
    const { anchors } = await look('/docs/errors', language);
    const markdown = await printedPage('errors', language);
    for (const code of Object.keys(failures)) {
      expect(anchors).toContain(code);
      expect(markdown).toContain(`### \`${code}\`\n`);
    }
  }
});

test('a Markdown page is cacheable, in the language of its address or of the request; another is 404', async () => {
  const english = await ask('/docs/errors.md', 'en');
  expect(english.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(english.headers.get('cache-control')).toBe('public, max-age=300');
  expect(english.headers.get('vary')?.toLowerCase()).toContain('accept-language');
  expect(english.headers.get('set-cookie')).toBeNull();
  expect(await english.text()).toBe(await printedPage('errors', 'en'));
  expect(await (await ask('/docs/errors.md', 'id')).text()).toBe(await printedPage('errors', 'id'));
  expect(await (await ask('/docs/errors.md?lang=id', 'en')).text()).toBe(await printedPage('errors', 'id'));
  for (const path of ['/docs/none.md', '/docs/recipes/none.md', '/docs/recipes/code/none.php']) {
    const unknown = await ask(path, 'en');
    const told = [path, unknown.status, unknown.headers.get('content-type')];
    expect(told).toEqual([path, 404, 'text/plain; charset=utf-8']);
    expect(await unknown.text()).toMatch(/^There is no .+\. \/.+ list/);
  }
});

test('the file that a recipe offers is the program that it prints', async () => {
  let files = 0;
  for (const slug of slugs.filter((one) => one.startsWith('recipes/'))) {
    const { links } = await look(`/docs/${slug}`, 'en');
    for (const { file, text } of await printed(slug, 'en')) {
      if (!file || !links.includes(`/docs/recipes/code/${file}`)) continue;
      files++;
      const answer = await ask(`/docs/recipes/code/${file}`, 'en');
      expect((await answer.text()).replace(/\n+$/, '')).toBe(text);
    }
  }
  expect(files).toBeGreaterThan(5);
});

const read = async (name: string, language: Language) => (await fetch(`${baseUrl}/${name}?lang=${language}`)).text();

/** A message of HTTP as the text prints it: the words of its first line, headers and body. */
function parse(block: string): { first: string[]; headers: [string, string][]; body: string } {
  const [head = '', body = ''] = block.trim().split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const headers = lines.map((line) => line.split(': ', 2) as [string, string]);
  return { first: first.split(' '), headers, body };
}

// Each request is followed by its answer.
const exchange = /^```http\n([\s\S]*?)^```$[\s\S]*?^```http\n([\s\S]*?)^```$/gm;

const listExchanges = (text: string) =>
  [...text.matchAll(exchange)].map(([, asked = '', answer = '']) => ({ request: parse(asked), answer: parse(answer) }));

test.each(languages)('every request of llms-small.txt is answered as it says (%s)', async (language) => {
  const exchanges = listExchanges(await read('llms-small.txt', language));
  const statuses = exchanges.map(({ answer }) => Number(answer.first[1]));
  expect([...new Set(statuses)].sort()).toEqual([200, 400, 401, 404, 405]);
  for (const { request, answer } of exchanges) {
    const company = await makeCompany('PT Contoh');
    const { employeeId } = await company.hire('Karyawan Satu', 'Kasir');
    const key = await company.newKey('n8n gaji');
    // The text has a key that is none, and the employee has number 7.
    const asOurs = (text: string) =>
      text.replace('jss_…', key).replace(/(user_id"?[=:])7\b/, (_, name: string) => `${name}${employeeId}`);
    const headers = new Headers(request.headers.map(([name, value]) => [name, asOurs(value)]));
    expect(headers.get('host')).toBe(new URL(baseUrl).host);
    headers.delete('host');
    const [method, path] = request.first;
    const init = { method, headers, body: asOurs(request.body) || null };
    const got = await fetch(baseUrl + path, init);
    expect([got.status, await got.json()]).toEqual([Number(answer.first[1]), JSON.parse(asOurs(answer.body))]);
    for (const [name, value] of answer.headers) expect(got.headers.get(name), name).toBe(value);
  }
});

test.each(languages)('llms-small.txt has every code in less than 30 kB; llms.txt lists all (%s)', async (language) => {
  const text = await read('llms-small.txt', language);
  expect(Buffer.byteLength(text)).toBeLessThan(30_000);
  for (const [code, { status }] of Object.entries(failures)) expect(text).toContain(`| ${status} | \`${code}\` |`);
  expect(text).not.toMatch(/\{\{|undefined/);
  const index = await read('llms.txt', language);
  const documents = ['openapi.json', 'openapi-3.0.json', 'postman.json'].map((name) => `api/v1/${name}`);
  for (const name of ['llms-small.txt', ...documents]) expect(index).toContain(`(${baseUrl}/${name}?lang=${language})`);
});

const pages = words('start send clients limits retry security troubleshooting questions bell changes');
const everyPage = languages.flatMap((language) => pages.map((page) => [page, language] as const));

// Columns of tables are padded with spaces in the files.
const readPage = async (page: string, language: Language) => (await printedPage(page, language)).replace(/ +/g, ' ');

test.each(languages)('limits (%s): the table of characters counts as the service does', async (language) => {
  const rows = [...(await readPage('limits', language)).matchAll(/^\| `(.+?)`.*\| (\d+) \| (\d+) \|$/gm)];
  expect(rows.length).toBeGreaterThan(5);
  for (const [, text = '', characters, bytes] of rows)
    expect([text, [...text].length, Buffer.byteLength(text)]).toEqual([text, Number(characters), Number(bytes)]);
});

test.each(everyPage)('%s (%s): every error it names exists and has the status it says', async (page, language) => {
  const text = await readPage(page, language);
  const codes = [...text.matchAll(/\/docs\/errors#(\w*)/g)].map(([, code]) => code);
  expect(codes.filter((code) => !Object.hasOwn(failures, code ?? ''))).toEqual([]);
  for (const [, status, code] of text.matchAll(/\b(\d{3}) \[[\w ]+\]\(\/docs\/errors#(\w+)\)/g))
    expect([code, failures[code as FailureCode].status]).toEqual([code, Number(status)]);
});

const textsOf = (messages: object): string[] =>
  Object.values(messages).flatMap((value) => (typeof value === 'string' ? value : textsOf(value)));

// Quoted names that are not in our interface: other programs, a key, the title of a standard, words of a table.
const otherNames = [
  ...'Using JSON|Using Fields Below|UTF-8 with BOM|CSV UTF-8|n8n gaji|RateLimit header fields for HTTP'.split('|'),
  ...words('form formulir no tidak perhaps mungkin'),
];

test.each(everyPage)('%s (%s): buttons and pages have the names that it says', async (page, language) => {
  const messages = JSON.parse(readFileSync(join(root, 'messages', language, 'icu', 'pages.json'), 'utf8'));
  const known = new Set([...textsOf(messages), ...otherNames]);
  const named = [...(await readPage(page, language)).matchAll(/“([^”]+)”/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

const listPages = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
    .map((name) => join(folder, name));

const folders = 'app|bench|bin|db|deploy|docs|e2e|messages|platform|public|release|server';
const path = new RegExp(`(?<=[\`(])(?:${folders})/[\\w./-]+(?=[\`)])`, 'g');

test.each(['.', 'docs', 'docs/decisions'].flatMap(listPages))('every file that %s names exists', (page) => {
  const named = readFileSync(join(root, page), 'utf8').match(path) ?? [];
  expect(named.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});

// The page that answers, and what a newcomer asks. It is among the first three results, in both languages.
const questions = Object.entries({
  monitoring: 'zabbix|esp32|healthchecks|nagios|systemd|mail',
  erp: 'odoo|frappe',
  questions: 'read receipts|key expiry|bold text|several employees|attachment|batal kirim|dikirim dua kali',
  'questions|retry|troubleshooting': 'send twice',
  'troubleshooting|retry': 'timeout',
  'retry|troubleshooting|apps-script': 'excel',
  'questions|cron': 'jadwal',
  'cut-text': 'potong teks',
  security: 'cabut kunci',
  troubleshooting: 'tidak ada suara',
  bell: 'lonceng|bell|embed|widget|iframe|wordpress|odoo',
}).flatMap(([page, asked]) => asked.split('|').map((question): [string, RegExp] => [question, new RegExp(page)]));

async function firstThree(words: string, language: string): Promise<string[]> {
  const address = `${process.env.SERVICE_URL}/docs/search?lang=${language}&q=${encodeURIComponent(words)}`;
  const html = await (await fetch(address)).text();
  expect(html).toContain(`<html lang="${language}"`);
  const [, list = ''] = /<ol class="docs-list plain-list">(.*?)<\/ol>/s.exec(html) ?? [];
  return [...list.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => href).slice(0, 3);
}

test.each(questions)('search: "%s" finds its page among the first three, in every language', async (words, page) => {
  for (const language of languages)
    expect([language, (await firstThree(words, language)).join(' ')]).toEqual([language, expect.stringMatching(page)]);
});

test('search: a page that explains a word comes before programs that only contain it', async () => {
  expect((await firstThree('Idempotency-Key', 'en'))[0]).toMatch(/^\/docs\/retry/);
  // Pages with the word itself come before pages with a similar word ("system").
  expect((await firstThree('systemd', 'en')).join(' ')).not.toContain('n8n');
});
