import { textResponse, writeLlmsSmall } from '#app/docs/texts/pages.ts';
import { requestedLanguage } from '#platform/net/choose-language.ts';

/** All that a client needs, as one short text, for programs that write clients (llmstxt.org). */
export async function GET(request: Request): Promise<Response> {
  return textResponse(await writeLlmsSmall(requestedLanguage(request)), 'text/markdown');
}
