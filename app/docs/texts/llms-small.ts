import { getTranslations } from 'next-intl/server';
import { listErrors } from '#app/docs/texts/errors.ts';
import { markdownTable } from '#app/docs/texts/markdown-table.ts';
import { localeOf } from '#app/language/i18n.ts';
import type { Language } from '#server/api/failures.ts';
import { env } from '#server/env.ts';

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
  return text
    .replace('{{codes}}', () => codes)
    .replaceAll('{{base}}', base)
    .replaceAll('{{host}}', new URL(base).host);
}
