import { expect, test } from 'vitest';
import { languages } from '#platform/language.ts';

// What a newcomer asks, and pages of which one is among the first three results, in both languages.
const questions: [string, RegExp][] = [
  ['zabbix', /monitoring/],
  ['odoo', /erp/],
  ['frappe', /erp/],
  ['esp32', /monitoring/],
  ['healthchecks', /monitoring/],
  ['nagios', /monitoring/],
  ['systemd', /monitoring/],
  ['mail', /monitoring/],
  ['read receipts', /questions/],
  ['key expiry', /questions/],
  ['bold text', /questions/],
  ['several employees', /questions/],
  ['attachment', /questions/],
  ['send twice', /questions|retry|troubleshooting/],
  ['timeout', /troubleshooting|retry/],
  ['excel', /retry|troubleshooting|apps-script/],
  ['jadwal', /questions|cron/],
  ['batal kirim', /questions/],
  ['dikirim dua kali', /questions/],
  ['potong teks', /cut-text/],
  ['cabut kunci', /security/],
  ['tidak ada suara', /troubleshooting/],
  ...['lonceng', 'bell', 'embed', 'widget', 'iframe', 'wordpress', 'odoo'].map((word): [string, RegExp] => [
    word,
    /bell/,
  ]),
];

/** The addresses of the first three results. */
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
