import { writeLlmsIndex } from '#app/docs/texts/llms.ts';
import { languageOf, textResponse } from '#app/docs/texts/text-response.ts';

/** What there is to read, for programs that read it (llmstxt.org). */
export function GET(request: Request): Response {
  return textResponse(writeLlmsIndex(languageOf(request)), 'text/markdown');
}
