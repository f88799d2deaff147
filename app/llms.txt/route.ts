import { writeIndex } from '#app/docs/for-models.ts';
import { answerText, askedLanguage } from '#app/docs/plain-text.ts';

/** What there is to read, for programs that read it (llmstxt.org). */
export function GET(request: Request): Response {
  return answerText(writeIndex(askedLanguage(request)), 'text/markdown');
}
