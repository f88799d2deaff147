import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { cache } from 'react';
import english from '#messages/en.json';
import indonesian from '#messages/id.json';
import { cookieOptions, hostCookieName } from '#server/accounts/sessions/cookie.ts';
import { currentReader } from '#server/accounts/sign-in/require.ts';
import { prefersEnglish } from '#server/api/language.ts';

const cookieName = () => hostCookieName('language');
const cookieAgeS = 365 * 24 * 60 * 60;

/** The cookie that keeps this browser's choice of language for a year. */
export const languageCookie = (value: 'id' | 'en') => ({
  ...cookieOptions(),
  name: cookieName(),
  value,
  maxAge: cookieAgeS,
});

/**
 * Returns the language of the address (`?lang=en`, which proxy.ts passes on), else of the account,
 * else of this browser's cookie, else of `Accept-Language`, else Indonesian.
 */
export const currentLanguage = cache(async (): Promise<'id' | 'en'> => {
  const sent = await headers();
  const named = sent.get('x-language');
  if (named === 'id' || named === 'en') return named;
  const session = await currentReader().catch(() => null);
  const chosen = session?.account.language ?? (await cookies()).get(cookieName())?.value;
  if (chosen === 'id' || chosen === 'en') return chosen;
  return prefersEnglish(sent.get('accept-language')) ? 'en' : 'id';
});

/** The locale of a language. English uses en-GB, which writes the day before the month. */
export const localeOf = (language: 'id' | 'en') => (language === 'id' ? ('id' as const) : ('en-GB' as const));

export default getRequestConfig(async ({ locale: requested }) => {
  // `requested` is set where the address names the language.
  const language = requested === undefined ? await currentLanguage() : requested === 'id' ? 'id' : 'en';
  const session = await currentReader().catch(() => null);
  return {
    locale: localeOf(language),
    messages: language === 'id' ? indonesian : english,
    timeZone: session?.account.timeZone ?? 'Asia/Jakarta',
    now: new Date(),
  };
});
