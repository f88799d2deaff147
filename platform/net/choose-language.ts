import Negotiator from 'negotiator';
import { fallbackLanguage, isLanguage, type Language, languages } from '#platform/language.ts';

/**
 * The language of an answer: the first of `choices` that is a language (the address, the account, the browser's
 * cookie), else what `Accept-Language` prefers (RFC 9110 §12.5.4), else that of `fallbackLanguage`.
 */
export function chooseLanguage(
  choices: (string | null | undefined)[],
  acceptLanguage: string | null | undefined,
  reader: keyof typeof fallbackLanguage,
): Language {
  const choice = choices.find(isLanguage);
  if (choice) return choice;
  const fallback = fallbackLanguage[reader];
  const headers = { 'accept-language': acceptLanguage ?? '' };
  return (new Negotiator({ headers }).language([fallback, ...languages]) as Language | undefined) ?? fallback;
}

/** The language of an answer to a program: of `?lang=id` or `?lang=en`, else of its `Accept-Language`. */
export const requestedLanguage = ({ url, headers }: Request): Language =>
  chooseLanguage([new URL(url).searchParams.get('lang')], headers.get('accept-language'), 'program');
