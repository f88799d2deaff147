import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { cache } from 'react';
import english from '#messages/en.json';
import indonesian from '#messages/id.json';
import { cookieOptions, hostCookieName } from '#server/accounts/cookie.ts';
import { currentSession } from '#server/accounts/require.ts';
import { prefersEnglish } from '#server/api/language.ts';

const cookieName = () => hostCookieName('language');

/** This browser's choice as a cookie, for a year. */
export const languageCookie = (value: 'id' | 'en') => ({
  ...{ name: cookieName(), value, maxAge: 365 * 24 * 60 * 60 },
  ...cookieOptions(),
});

/**
 * The person's choice, else this browser's choice, else what the browser prefers, else Indonesian.
 */
export const currentLanguage = cache(async (): Promise<'id' | 'en'> => {
  const session = await currentSession().catch(() => null);
  const chosen = session?.account.language ?? (await cookies()).get(cookieName())?.value;
  if (chosen === 'id' || chosen === 'en') return chosen;
  return prefersEnglish((await headers()).get('accept-language')) ? 'en' : 'id';
});

/**
 * The language as dates and texts know it: English as the interface writes it, the day before the
 * month.
 */
export const localeOf = (language: 'id' | 'en') => (language === 'id' ? ('id' as const) : ('en-GB' as const));

export default getRequestConfig(async ({ locale: asked }) => {
  // Asked for by name where an address names its language.
  const language = asked === undefined ? await currentLanguage() : asked === 'id' ? 'id' : 'en';
  const session = await currentSession().catch(() => null);
  return {
    locale: localeOf(language),
    messages: language === 'id' ? indonesian : english,
    timeZone: session?.account.timeZone ?? 'Asia/Jakarta',
    now: new Date(),
  };
});
