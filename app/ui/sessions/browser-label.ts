import { getTranslations } from 'next-intl/server';
import { browserName } from '#server/accounts/browser-name.ts';

/** The name of a session's browser and system, in the language of the request. */
export async function nameOfBrowser(client: string): Promise<string> {
  const t = await getTranslations('sessions');
  const { browser, system } = browserName(client);
  if (browser && system) return t('device', { browser, system });
  return browser || system || t('unknown');
}
