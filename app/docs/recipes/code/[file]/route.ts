import { answerText } from '#app/docs/plain-text.ts';
import { findProgram } from '#app/docs/texts.ts';

/** A program of the recipes as a file, with this deployment's address in it. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const text = findProgram((await params).file);
  if (text === null)
    return answerText('There is no such file. /docs/recipes lists what there is.\n', 'text/plain', 404);
  return answerText(text, 'text/plain');
}
