import { writeLlmsFull } from '#app/docs/texts/llms.ts';
import { textResponse } from '#app/docs/texts/text-response.ts';
import { requestedLanguage } from '#server/api/language.ts';

/** Every page as one text, for programs that read them (llmstxt.org). */
export async function GET(request: Request): Promise<Response> {
  return textResponse(await writeLlmsFull(requestedLanguage(request)), 'text/markdown');
}
