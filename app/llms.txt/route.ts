import { textResponse, writeLlmsIndex } from '#app/docs/texts/pages.ts';
import { requestedLanguage } from '#platform/net/choose-language.ts';

/** What there is to read, for programs that read it (llmstxt.org). */
export async function GET(request: Request): Promise<Response> {
  return textResponse(await writeLlmsIndex(requestedLanguage(request)), 'text/markdown');
}
