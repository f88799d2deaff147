import { writeEverything } from '#app/docs/for-models.ts';
import { answerText, askedLanguage } from '#app/docs/plain-text.ts';

/** Every page as one text, for programs that read them (llmstxt.org). */
export async function GET(request: Request): Promise<Response> {
  return answerText(await writeEverything(askedLanguage(request)), 'text/markdown');
}
