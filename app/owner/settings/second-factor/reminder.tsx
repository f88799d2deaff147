import { Alert } from '@mantine/core';
import { getFormatter, getTranslations } from 'next-intl/server';
import { TextLink } from '#app/ui/text/links.tsx';
import { listPasskeys } from '#server/accounts/sign-in/passkeys.ts';
import type { Session } from '#server/principals.ts';

/** Reminds an owner or manager without a passkey of the day from which they need a second factor. */
export async function SecondFactorReminder({ session }: { session: Session }) {
  const { account, secondFactorFrom } = session;
  if (!secondFactorFrom || secondFactorFrom.getTime() < Date.now()) return null;
  if ((await listPasskeys(account)).length > 0) return null;
  const [t, format] = await Promise.all([getTranslations('passkeys'), getFormatter()]);
  const day = format.dateTime(secondFactorFrom, { dateStyle: 'long', timeZone: account.timeZone });
  return (
    <Alert mb="md">
      {t('reminder', { day })} <TextLink href="/owner/settings#passkeys">{t('add')}</TextLink>
    </Alert>
  );
}
