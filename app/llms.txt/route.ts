import { writeLlmsIndex } from '#app/docs/texts/pages.ts';
import { textResponse } from '#app/docs/texts/text-response.ts';
import { requestedLanguage } from '#platform/net/choose-language.ts';

/** What there is to read, for programs that read it (llmstxt.org). */
export async function GET(request: Request): Promise<Response> {
  return textResponse(await writeLlmsIndex(requestedLanguage(request)), 'text/markdown');
}
