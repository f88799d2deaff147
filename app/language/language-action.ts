'use server';

import { cookies } from 'next/headers';
import { languageCookie } from '#app/language/i18n.ts';
import { isLanguage } from '#platform/language.ts';
import { chooseLanguage } from '#server/accounts/sign-in/account.ts';
import { currentSession, isOwnRequest } from '#server/accounts/sign-in/require.ts';

/** Saves the chosen language in this browser and, after a sign-in, in the account. */
export async function chooseLanguageAction(language: string): Promise<void> {
  if (!isLanguage(language) || !(await isOwnRequest())) return;
  (await cookies()).set(languageCookie(language));
  const session = await currentSession();
  if (session) await chooseLanguage(session.account, language);
}
