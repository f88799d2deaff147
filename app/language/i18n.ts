import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { cache } from 'react';
import { type Language, languageOf, locales } from '#platform/language.ts';
import { chooseLanguage } from '#platform/net/choose-language.ts';
import { cookieOptions, hostCookieName } from '#server/accounts/sessions/cookie.ts';
import { currentReader } from '#server/accounts/sign-in/require.ts';

const cookieName = () => hostCookieName('language');
const cookieAgeS = 365 * 24 * 60 * 60;

/** The cookie that keeps this browser's choice of language for a year. */
export const languageCookie = (value: Language) => ({
  ...cookieOptions(),
  name: cookieName(),
  value,
  maxAge: cookieAgeS,
});

/** The language of the address (`?lang=en`), else of the account, the cookie, `Accept-Language`, else Indonesian. */
export const currentLanguage = cache(async (): Promise<Language> => {
  const requestHeaders = await headers();
  const session = await currentReader().catch(() => null);
  const ofBrowser = (await cookies()).get(cookieName())?.value;
  const choices = [requestHeaders.get('x-language'), session?.account.language, ofBrowser];
  return chooseLanguage(choices, requestHeaders.get('accept-language'), 'person');
});

export default getRequestConfig(async ({ locale: requested }) => {
  // `requested` is set where the address names the language.
  const language = languageOf(requested ?? '') ?? (await currentLanguage());
  const session = await currentReader().catch(() => null);
  return {
    locale: locales[language],
    messages: (await import(`../../messages/${language}/icu/pages.json`)).default,
    timeZone: session?.account.timeZone ?? 'Asia/Jakarta',
    now: new Date(),
  };
});
