import { getTranslations } from 'next-intl/server';
import { z } from 'zod';
import { currentLanguage } from '#app/language/i18n.ts';
import { asDayRange } from '#app/ui/lists/days.ts';
import { daysShape, IdText, NumberText, type QueryOf } from '#app/ui/lists/list-query.ts';
import { type FailureCode, failureSentence, failures } from '#server/api/failures.ts';
import type { RejectedRequest, RejectedRequestFilter } from '#server/keys/rejected-requests.ts';
import type { Owner } from '#server/principals.ts';

const neverLogged = [
  'internal_error',
  'unavailable',
  'unavailable_uncertain',
  'request_malformed',
  'address_unknown',
] as const;

type LoggedCode = Exclude<FailureCode, (typeof neverLogged)[number]>;

export const loggedCodes = Object.keys(failures).filter(
  (code): code is LoggedCode => !neverLogged.some((excluded) => excluded === code),
);

/** Why a request was rejected, how to fix it, and its HTTP status (null: the code is obsolete). */
export type RejectedRequestText = { reason: string; cure: string; status: number | null };

/** Returns a function that describes rejected requests in the language of the request. */
export async function getRejectedRequestTexts(): Promise<(refused: RejectedRequest) => RejectedRequestText> {
  const t = await getTranslations('refusals');
  const language = await currentLanguage();
  return ({ code, field, parameters, keyExpired }) => {
    const logged = loggedCodes.find((loggedCode) => loggedCode === code);
    if (!logged) return { reason: t('unknown', { code }), cure: '', status: null };
    const failure = { code: logged, field: field ?? undefined, parameters: parameters ?? undefined };
    const { status } = failures[logged];
    // A logged key is one of this company that was revoked or had expired. Only its owner learns which.
    if (code === 'key_rejected' && keyExpired) return { reason: t('keyExpired'), cure: t('expiredCure'), status };
    const cure = code === 'key_rejected' ? t('revokedCure') : failureSentence(failure, language);
    return { reason: t(`reasonOf.${logged}`), cure, status };
  };
}

/** The filters of the rejected requests in their address. Key `none`: calls without a key. */
export const rejectedQuery = {
  key: z.union([z.literal('none'), IdText]),
  reason: z.enum(loggedCodes),
  ...daysShape,
  request: z.string().max(100),
  before: NumberText,
};

export type RejectedQuery = QueryOf<typeof rejectedQuery>;

export function asRejectedFilter(owner: Owner, query: RejectedQuery): RejectedRequestFilter | 'not-a-request-id' {
  const { key, reason, request } = query;
  if (request !== undefined && !z.guid().safeParse(request).success) return 'not-a-request-id';
  return { key, code: reason, ...asDayRange(query, owner.timeZone), requestId: request };
}
