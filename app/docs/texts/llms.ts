import { getTranslations } from 'next-intl/server';
import { listErrors } from '#app/docs/texts/errors.ts';
import { markdownTable } from '#app/docs/texts/operations.ts';
import { findPageMarkdown } from '#app/docs/texts/page-markdown.ts';
import { allSlugs, type DocsText, listTexts, pageSlugs, recipeSlugs, withLimits } from '#app/docs/texts/texts.ts';
import { localeOf } from '#app/language/i18n.ts';
import { env } from '#platform/config/settings.ts';
import type { Language } from '#server/api/failures.ts';

const words = {
  id: {
    summary:
      'Mengirim notifikasi ke karyawan satu perusahaan lewat satu alamat HTTP dengan kunci API. Sebuah kunci hanya dapat memeriksa dirinya, menampilkan karyawan (id, nama, peran), dan mengirim.',
    more: (base: string) =>
      `Antarmukanya ${base}/api/v1/notif.php. Kunci dikirim di header X-API-Key atau Authorization: Bearer, jangan keduanya; tulis kunci di variabel lingkungan NOTIF_KEY, jangan di dalam program. Paling banyak 60 permintaan per menit untuk tiap kunci.`,
    pages: 'Halaman',
    recipes: 'Resep',
    machine: 'Untuk mesin',
    document: 'dokumen OpenAPI 3.1 antarmuka ini',
    small: 'semua yang dibutuhkan untuk menulis klien, dalam satu teks pendek',
    postman: 'koleksi untuk Postman dan Bruno',
    full: 'semua halaman dan resep dalam satu teks panjang',
    other: 'daftar ini dalam bahasa Inggris',
  },
  en: {
    summary:
      'Send notifications to the employees of one company over one HTTP address with an API key. A key can check itself, list employees (id, name, role) and send, nothing else.',
    more: (base: string) =>
      `The interface is ${base}/api/v1/notif.php. The key goes into the header X-API-Key or Authorization: Bearer, never both; keep it in the environment variable NOTIF_KEY, never in a program. At most 60 requests a minute for each key.`,
    pages: 'Pages',
    recipes: 'Recipes',
    machine: 'For machines',
    document: 'the OpenAPI 3.1 document of the interface',
    small: 'everything needed to write a client, in one short text',
    postman: 'a collection for Postman and Bruno',
    full: 'every page and recipe in one long text',
    other: 'this list in Indonesian',
  },
};

/** The list of all pages for language models, in the format of llmstxt.org. */
export function writeLlmsIndex(language: Language): string {
  const [base, say] = [env().APP_URL, words[language]];
  const other = language === 'id' ? 'en' : 'id';
  const list = (texts: DocsText[]) =>
    texts.map(({ slug, title, summary }) => `- [${title}](${base}/docs/${slug}.md?lang=${language}): ${summary}`);
  return [
    '# Staff Notification API',
    `> ${say.summary}`,
    say.more(base),
    `## ${say.pages}`,
    list(listTexts(pageSlugs, language)).join('\n'),
    `## ${say.recipes}`,
    list(listTexts(recipeSlugs, language)).join('\n'),
    `## ${say.machine}`,
    [
      `- [llms-small.txt](${base}/llms-small.txt?lang=${language}): ${say.small}`,
      `- [openapi.json](${base}/api/v1/openapi.json?lang=${language}): ${say.document}`,
      `- [postman.json](${base}/api/v1/postman.json?lang=${language}): ${say.postman}`,
      `- [llms-full.txt](${base}/llms-full.txt?lang=${language}): ${say.full}`,
      `- [llms.txt](${base}/llms.txt?lang=${other}): ${say.other}`,
    ].join('\n'),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
}

/** All pages as one Markdown text. */
export async function writeLlmsFull(language: Language): Promise<string> {
  const texts = await Promise.all(allSlugs.map((slug) => findPageMarkdown(slug, language)));
  return texts
    .map((text) => text?.trim() ?? '')
    .join('\n\n---\n\n')
    .concat('\n');
}

const texts = import.meta.glob<{ default: string }>('../llms/small.*.md', { query: '?raw', eager: true });

/**
 * The interface on one page of less than 30 kB, from which a client can be written. Every request
 * in it stands before its answer; `e2e/docs/llms-small.test.ts` sends them.
 */
export async function writeLlmsSmall(language: Language): Promise<string> {
  const t = await getTranslations({ locale: localeOf(language), namespace: 'docs' });
  const rows = listErrors(language).flatMap((group) => group.rows);
  const cells = rows.map(({ status, code, cause }) => [String(status), `\`${code}\``, cause]);
  const codes = markdownTable([t('reference.status'), t('code'), t('cause')], cells);
  const text = texts[`../llms/small.${language}.md`]?.default ?? '';
  const base = env().APP_URL;
  return withLimits(text)
    .replace('{{codes}}', () => codes)
    .replaceAll('{{base}}', base)
    .replaceAll('{{host}}', new URL(base).host);
}
