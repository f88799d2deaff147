import { expect, test } from 'vitest';
import { makeCompany } from '#e2e/support/data/company.ts';
import { baseUrl } from '#e2e/support/http/interface.ts';
import { type Language, languages } from '#platform/language.ts';
import { failures } from '#server/api/failures.ts';

const read = async (name: string, language: Language) => (await fetch(`${baseUrl}/${name}?lang=${language}`)).text();

/** A message of HTTP as the text prints it: the words of its first line, headers and body. */
function parse(block: string): { first: string[]; headers: [string, string][]; body: string } {
  const [head = '', body = ''] = block.trim().split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const headers = lines.map((line) => line.split(': ', 2) as [string, string]);
  return { first: first.split(' '), headers, body };
}

function listExchanges(text: string) {
  const blocks = [...text.matchAll(/^```http\n([\s\S]*?)^```$/gm)].map(([, block = '']) => parse(block));
  expect(blocks.length % 2).toBe(0);
  const pairs = Array.from({ length: blocks.length / 2 }, (_, at) => blocks.slice(2 * at, 2 * at + 2));
  return pairs.map(([request, answer]) => {
    if (!request || !answer) throw new Error('a request without an answer');
    return { request, answer };
  });
}

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

test.each(languages)('llms-small.txt has every code and less than 30 kB (%s)', async (language) => {
  const text = await read('llms-small.txt', language);
  expect(Buffer.byteLength(text)).toBeLessThan(30_000);
  for (const [code, { status }] of Object.entries(failures)) expect(text).toContain(`| ${status} | \`${code}\` |`);
  expect(text).not.toMatch(/\{\{|undefined/);
});

test.each(languages)('llms.txt lists all that is there for programs (%s)', async (language) => {
  const index = await read('llms.txt', language);
  const documents = ['openapi.json', 'openapi-3.0.json', 'postman.json'].map((name) => `api/v1/${name}`);
  for (const name of ['llms-small.txt', ...documents]) expect(index).toContain(`(${baseUrl}/${name}?lang=${language})`);
});
