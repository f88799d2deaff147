import { writeLlmsIndex } from '#app/docs/texts/llms.ts';
import { languageOf, textResponse } from '#app/docs/texts/text-response.ts';

/** What there is to read, for programs that read it (llmstxt.org). */
export async function GET(request: Request): Promise<Response> {
  return textResponse(await writeLlmsIndex(languageOf(request)), 'text/markdown');
}
