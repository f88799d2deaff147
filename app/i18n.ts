import { cookies, headers } from 'next/headers';
import { getRequestConfig } from 'next-intl/server';
import { cache } from 'react';
import english from '#messages/en.json';
import indonesian from '#messages/id.json';
import { prefersEnglish } from '#server/api/language.ts';
import { currentSession } from '#server/require.ts';

export const languageCookie = 'language';

/** The person's choice, else this browser's choice, else what the browser prefers, else Indonesian. */
export const currentLanguage = cache(async (): Promise<'id' | 'en'> => {
  const session = await currentSession().catch(() => null);
  const chosen = session?.account.language ?? (await cookies()).get(languageCookie)?.value;
  if (chosen === 'id' || chosen === 'en') return chosen;
  return prefersEnglish((await headers()).get('accept-language')) ? 'en' : 'id';
});

export default getRequestConfig(async () => {
  const locale = await currentLanguage();
  const session = await currentSession().catch(() => null);
  return {
    // As the interface writes English: the day before the month.
    locale: locale === 'id' ? 'id' : 'en-GB',
    messages: locale === 'id' ? indonesian : english,
    timeZone: session?.account.timeZone ?? 'Asia/Jakarta',
    now: new Date(),
  };
});
