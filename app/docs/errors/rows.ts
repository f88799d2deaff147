import { type FailureCode, failures, type Language } from '#server/api/failures.ts';

/** An error of the interface as the documentation shows it. `cause` says why it comes, where the sentence alone does not. */
export type ErrorRow = { code: FailureCode; status: number; sentence: string; cause?: string };

// What a sentence says about one request is left open here; a part that is not always there is left out.
const openSentence = (sentence: string) => sentence.replace(/\[[^\]]*\{\w+\}[^\]]*\]/g, '').replace(/\{(\w+)\}/g, '…');

function asRow(code: FailureCode, language: Language): ErrorRow {
  const row: { status: number; cause?: Record<Language, string> } & Record<Language, string> = failures[code];
  return { code, status: row.status, sentence: openSentence(row[language]), cause: row.cause?.[language] };
}

/** Every error, by status and then in the order in which the service checks. */
export function listErrors(language: Language): { status: number; rows: ErrorRow[] }[] {
  const rows = (Object.keys(failures) as FailureCode[]).map((code) => asRow(code, language));
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses.map((status) => ({ status, rows: rows.filter((row) => row.status === status) }));
}
