import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { type FailureCode, failureSentence, failures, isFailureCode } from '#server/api/failures.ts';
import type { Refused } from '#server/keys/refusals.ts';

type Noted = Exclude<FailureCode, 'unavailable' | 'unavailable_uncertain' | 'request_malformed' | 'address_unknown'>;

const neverNoted: ReadonlySet<string> = new Set([
  ...['unavailable', 'unavailable_uncertain', 'request_malformed', 'address_unknown'],
]);

/** The codes a noted refusal can have. */
export const notedCodes = Object.keys(failures).filter((code): code is Noted => !neverNoted.has(code));

/** Why a call was refused, in a few words; what to do; the status it got (null when its code is no longer known). */
export type RefusalWords = { reason: string; cure: string; status: number | null };

/** Puts refusals into the words of the page's language. */
export async function refusalWords(): Promise<(refused: Pick<Refused, 'code' | 'field' | 'figures'>) => RefusalWords> {
  const t = await getTranslations('refusals');
  const language = await currentLanguage();
  return ({ code, field, figures }) => {
    const noted = notedCodes.find((one) => one === code);
    if (!noted || !isFailureCode(code)) return { reason: t('unknown', { code }), cure: '', status: null };
    const failure = { code, field: field ?? undefined, figures: figures ?? undefined };
    // It has a row because its fingerprint is that of a key of this company: it cannot be a wrong one.
    const cure = code === 'key_rejected' ? t('revokedCure') : failureSentence(failure, language);
    return { reason: t(`reasonOf.${noted}`), cure, status: failures[code].status };
  };
}
