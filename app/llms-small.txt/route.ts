import { writeLlmsSmall } from '#app/docs/texts/llms.ts';
import { languageOf, textResponse } from '#app/docs/texts/text-response.ts';

/** All that a client needs, as one short text, for programs that write clients (llmstxt.org). */
export async function GET(request: Request): Promise<Response> {
  return textResponse(await writeLlmsSmall(languageOf(request)), 'text/markdown');
}
