import { getTranslations } from 'next-intl/server';
import { findPageMarkdown, textResponse } from '#app/docs/texts/pages.ts';
import { locales } from '#platform/language.ts';
import { requestedLanguage } from '#platform/net/choose-language.ts';

/** A page as Markdown. next.config.ts rewrites `/docs/<page>.md` to this route. */
export async function GET(request: Request, { params }: { params: Promise<{ path: string[] }> }): Promise<Response> {
  const language = requestedLanguage(request);
  const text = await findPageMarkdown((await params).path.join('/'), language);
  if (text) return textResponse(text, 'text/markdown');
  const t = await getTranslations({ locale: locales[language], namespace: 'docs.llms' });
  return textResponse(`${t('noPage')}\n`, 'text/plain', 404);
}
