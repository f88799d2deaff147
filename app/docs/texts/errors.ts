import { getTranslations } from 'next-intl/server';
import { localeOf } from '#app/language/i18n.ts';
import { exampleFailure } from '#server/api/document/openapi-examples.ts';
import {
  type FailureCode,
  type FailureStatus,
  failureSentence,
  failures,
  type Language,
} from '#server/api/failures.ts';

/** The errors with one status: the sentence of one example of each, and its usual cause. */
export type ErrorGroup = {
  status: FailureStatus;
  rows: { code: FailureCode; status: FailureStatus; sentence: string; cause: string }[];
};

const loadTexts = (language: Language) => getTranslations({ locale: localeOf(language), namespace: 'docs' });

/** Every error, grouped by status, in the order in which the service checks. */
export async function listErrors(language: Language): Promise<ErrorGroup[]> {
  const t = await loadTexts(language);
  const rows = (Object.keys(failures) as FailureCode[]).map((code) => ({
    code,
    status: failures[code].status,
    sentence: failureSentence(exampleFailure(code), language),
    cause: t(`causes.${code}`),
  }));
  const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
  return statuses.map((status) => ({ status, rows: rows.filter((row) => row.status === status) }));
}

/** A status and its meaning: `400: the request needs a correction`. */
export async function statusTitle(status: FailureStatus, language: Language): Promise<string> {
  const t = await loadTexts(language);
  return `${status}: ${t(`statusNames.${status}`)}`;
}
