import { getTranslations } from 'next-intl/server';
import { currentLanguage } from '#app/language/i18n.ts';
import { type FailureCode, failureSentence, failures, isFailureCode } from '#server/api/failures.ts';
import type { RefusedCall } from '#server/keys/refusals.ts';

type LoggedCode = Exclude<
  FailureCode,
  'unavailable' | 'unavailable_uncertain' | 'request_malformed' | 'address_unknown'
>;

const neverLogged = ['unavailable', 'unavailable_uncertain', 'request_malformed', 'address_unknown'];

/** The codes that the log of refused calls can contain. */
export const loggedCodes = Object.keys(failures).filter((code): code is LoggedCode => !neverLogged.includes(code));

/** Why a call was refused, how to fix it, and its HTTP status (null: the code is obsolete). */
export type RefusalText = { reason: string; cure: string; status: number | null };

/** Returns a function that describes refused calls in the language of the request. */
export async function getRefusalTexts(): Promise<
  (refused: Pick<RefusedCall, 'code' | 'field' | 'figures' | 'keyExpired'>) => RefusalText
> {
  const t = await getTranslations('refusals');
  const language = await currentLanguage();
  return ({ code, field, figures, keyExpired }) => {
    const logged = loggedCodes.find((one) => one === code);
    if (!logged || !isFailureCode(code)) return { reason: t('unknown', { code }), cure: '', status: null };
    const failure = { code, field: field ?? undefined, figures: figures ?? undefined };
    const { status } = failures[code];
    // The log has a rejected key only if it matches a key of this company: that key was revoked or
    // had expired. Only its owner learns which.
    if (code === 'key_rejected' && keyExpired) return { reason: t('keyExpired'), cure: t('expiredCure'), status };
    const cure = code === 'key_rejected' ? t('revokedCure') : failureSentence(failure, language);
    return { reason: t(`reasonOf.${logged}`), cure, status };
  };
}
