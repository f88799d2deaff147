import { findProgram } from '#app/docs/texts/doc-texts.ts';
import { textResponse } from '#app/docs/texts/pages.ts';

/** A program of the recipes as a file, with this deployment's address in it. */
export async function GET(_: Request, { params }: { params: Promise<{ file: string }> }): Promise<Response> {
  const text = findProgram((await params).file);
  if (text === null)
    return textResponse('There is no such file. /docs/recipes lists what there is.\n', 'text/plain', 404);
  return textResponse(text, 'text/plain');
}
