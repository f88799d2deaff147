import { getTranslations } from 'next-intl/server';
import { localeOf } from '#app/language/i18n.ts';
import { describeCommonMistakes } from '#server/api/common-mistakes.ts';
import { exampleFailure } from '#server/api/document/openapi-examples.ts';
import { errorCauses } from '#server/api/error-causes.ts';
import { type FailureCode, failureSentence, failures, type Language } from '#server/api/failures.ts';

/** An error of the interface: the sentence of one example, and its usual cause. */
export type ErrorRow = { code: FailureCode; status: number; sentence: string; cause: string };

const asRow = (code: FailureCode, language: Language): ErrorRow => ({
  code,
  status: failures[code].status,
  sentence: failureSentence(exampleFailure(code), language),
  cause: errorCauses[code][language],
});

/** Every error, grouped by status, in the order in which the service checks. */
export function listErrors(language: Language): { status: number; rows: ErrorRow[] }[] {
  const rows = (Object.keys(failures) as FailureCode[]).map((code) => asRow(code, language));
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses.map((status) => ({ status, rows: rows.filter((row) => row.status === status) }));
}

/** A common mistake: what was sent, and the answer of the service. */
export type Mistake = { name: string; about: string; sent: string; code: FailureCode; sentence: string };

// They are the same for the life of the process, so they are computed once, at the first request.
let described: ReturnType<typeof describeCommonMistakes> | undefined;

/** The common mistakes, each with the sentence that the service itself answers. */
export async function listMistakes(language: Language): Promise<Mistake[]> {
  described ??= describeCommonMistakes();
  return (await described).map(({ mistake: { name, about }, failure, sent }) => ({
    name,
    about: about[language],
    sent,
    code: failure.code,
    sentence: failureSentence(failure, language),
  }));
}

/** A status and its meaning: `400: the request needs a correction`. */
export async function statusTitle(status: number, language: Language): Promise<string> {
  const t = await getTranslations({ locale: localeOf(language), namespace: 'docs.statusNames' });
  const name = String(status) as '400';
  return t.has(name) ? `${status}: ${t(name)}` : name;
}
