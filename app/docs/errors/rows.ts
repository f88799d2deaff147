import { teach } from '#server/api/common-mistakes.ts';
import { causes } from '#server/api/error-causes.ts';
import { type FailureCode, failureSentence, failures, type Language } from '#server/api/failures.ts';
import { exampleFailure } from '#server/api/openapi-examples.ts';

/** An error of the interface as the documentation shows it: the sentence of one example, and what usually lies behind it. */
export type ErrorRow = { code: FailureCode; status: number; sentence: string; cause: string };

const asRow = (code: FailureCode, language: Language): ErrorRow => ({
  code,
  status: failures[code].status,
  sentence: failureSentence(exampleFailure(code), language),
  cause: causes[code][language],
});

/** Every error, by status and then in the order in which the service checks. */
export function listErrors(language: Language): { status: number; rows: ErrorRow[] }[] {
  const rows = (Object.keys(failures) as FailureCode[]).map((code) => asRow(code, language));
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses.map((status) => ({ status, rows: rows.filter((row) => row.status === status) }));
}

/** A mistake that many make: what is sent, and what the service says to it. */
export type Mistake = { name: string; about: string; sent: string; code: FailureCode; sentence: string };

const taught = teach();

/** The common mistakes, each with the sentence that the service itself answers. */
export async function listMistakes(language: Language): Promise<Mistake[]> {
  return (await taught).map(({ lesson: { name, about }, failure, sent }) => ({
    ...{ name, about: about[language], sent, code: failure.code },
    sentence: failureSentence(failure, language),
  }));
}
