import { getTranslations } from 'next-intl/server';
import { localeOf } from '#app/language/i18n.ts';
import { exampleFailure } from '#server/api/document/openapi-examples.ts';
import { type FailureCode, failureSentence, failures, type Language } from '#server/api/failures.ts';

/**
 * Every error, by its status, in the order in which the service checks: the sentence of one example,
 * and its usual cause.
 */
export async function listErrors(language: Language) {
  const t = await getTranslations({ locale: localeOf(language), namespace: 'docs' });
  const rows = (Object.keys(failures) as FailureCode[]).map((code) => ({
    code,
    status: failures[code].status,
    sentence: failureSentence(exampleFailure(code), language),
    cause: t(`causes.${code}`),
  }));
  return rows.sort((one, other) => one.status - other.status);
}
