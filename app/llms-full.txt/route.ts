import { writeLlmsFull } from '#app/docs/texts/llms.ts';
import { languageOf, textResponse } from '#app/docs/texts/text-response.ts';

/** Every page as one text, for programs that read them (llmstxt.org). */
export async function GET(request: Request): Promise<Response> {
  return textResponse(await writeLlmsFull(languageOf(request)), 'text/markdown');
}
