import { getTranslations } from 'next-intl/server';
import { markdownTable, writeOperations } from '#app/docs/texts/api-reference.ts';
import { addressOf, fill, findSource, findText, listTexts, pageSlugs, recipeSlugs } from '#app/docs/texts/doc-texts.ts';
import { type Rendered, renderMarkdown } from '#app/docs/texts/render.ts';
import { env } from '#platform/config/settings.ts';
import { type Language, languages, locales } from '#platform/language.ts';
import { exampleFailure } from '#server/api/document/openapi-examples.ts';
import { type FailureCode, failureSentence, failures } from '#server/api/failures.ts';

const loadTexts = (language: Language) => getTranslations({ locale: locales[language], namespace: 'docs' });

// What is made for a page, below its text.
const additions: Record<string, (language: Language) => string | Promise<string>> = {
  start: async (language) => {
    const others = pageSlugs.filter((slug) => slug !== 'start');
    return `## ${(await loadTexts(language))('here')}\n\n${writeList(others, language)}`;
  },
  recipes: (language) => writeList(recipeSlugs, language),
  errors: writeErrors,
  reference: writeOperations,
};

/** A page as Markdown, with what is made for it (lists of pages, errors, operations); else null. */
export async function findPageMarkdown(slug: string, language: Language): Promise<string | null> {
  const text = findText(slug, language);
  if (!text) return null;
  const addition = await additions[slug]?.(language);
  return addition ? `${text.markdown.trimEnd()}\n\n${addition}\n` : text.markdown;
}

const writeList = (slugs: string[], language: Language, address = addressOf) =>
  listTexts(slugs, language)
    .map(({ slug, title, summary }) => `- [${title}](${address(slug)}): ${summary}`)
    .join('\n');

// A heading for each status, and one for each code, which is its anchor.
async function writeErrors(language: Language): Promise<string> {
  const t = await loadTexts(language);
  const groups = Map.groupBy(await listErrors(language), ({ status }) => status);
  const parts = [...groups].map(([status, rows]) => {
    const errors = rows.map(({ code, sentence, cause }) => `### \`${code}\`\n\n${sentence}\n\n${t('cause')}: ${cause}`);
    return [`## ${status}: ${t(`statusNames.${status}`)}`, ...errors].join('\n\n');
  });
  return parts.join('\n\n');
}

/** Every error by its status, in the order of the checks, with the sentence of one example and its usual cause. */
async function listErrors(language: Language) {
  const t = await loadTexts(language);
  const rows = (Object.keys(failures) as FailureCode[]).map((code) => ({
    code,
    status: failures[code].status,
    sentence: failureSentence(exampleFailure(code), language),
    cause: t(`causes.${code}`),
  }));
  return rows.sort((first, second) => first.status - second.status);
}

// Needs no expiry and no limit: the texts are part of the build, so their content and number are fixed.
const cache = new Map<string, Rendered>();

export async function findRendered(slug: string, language: Language): Promise<Rendered | null> {
  const cacheKey = `${language} ${slug}`;
  const cached = cache.get(cacheKey);
  if (cached) return cached;
  const markdown = await findPageMarkdown(slug, language);
  if (markdown === null) return null;
  const rendered = renderMarkdown(markdown, await loadTexts(language));
  cache.set(cacheKey, rendered);
  return rendered;
}

/** The list of all pages for language models, in the format of llmstxt.org. */
export async function writeLlmsIndex(language: Language): Promise<string> {
  const t = await getTranslations({ locale: locales[language], namespace: 'docs.llms' });
  const base = env().APP_URL;
  const names = new Intl.DisplayNames(locales[language], { type: 'language' });
  const others = languages.filter((other) => other !== language);
  const address = (slug: string) => `${base}/docs/${slug}.md?lang=${language}`;
  return [
    '# Staff Notification API',
    `> ${t('summary')}`,
    t('more', { base }),
    `## ${t('pages')}`,
    writeList(pageSlugs, language, address),
    `## ${t('recipes')}`,
    writeList(recipeSlugs, language, address),
    `## ${t('machine')}`,
    [
      `- [llms-small.txt](${base}/llms-small.txt?lang=${language}): ${t('small')}`,
      `- [openapi.json](${base}/api/v1/openapi.json?lang=${language}): ${t('document')}`,
      `- [openapi-3.0.json](${base}/api/v1/openapi-3.0.json?lang=${language}): ${t('document30')}`,
      `- [postman.json](${base}/api/v1/postman.json?lang=${language}): ${t('postman')}`,
      ...others.map(
        (other) =>
          `- [llms.txt](${base}/llms.txt?lang=${other}): ${t('other', { language: names.of(other) ?? other })}`,
      ),
    ].join('\n'),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The interface in less than 30 kB, to write a client. `e2e/docs/markdown.test.ts` sends its requests. */
export async function writeLlmsSmall(language: Language): Promise<string> {
  const t = await loadTexts(language);
  const cells = (await listErrors(language)).map(({ status, code, cause }) => [String(status), `\`${code}\``, cause]);
  const codes = markdownTable([t('reference.status'), t('code'), t('cause')], cells);
  const text = findSource('llms-small', language) ?? '';
  return fill(text.replace('{{codes}}', () => codes)).replaceAll('{{host}}', new URL(env().APP_URL).host);
}

/** A text as a response. A 200 may be cached for five minutes, separately for each language. */
export function textResponse(text: string, type: string, status = 200): Response {
  return new Response(text, {
    status,
    headers: {
      'Content-Type': `${type}; charset=utf-8`,
      'Cache-Control': status === 200 ? 'public, max-age=300' : 'no-store',
      Vary: 'Accept-Language',
    },
  });
}
