import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { OwnSettings } from '#app/owner/settings/own-settings.tsx';
import { SettingsPage, settingsTitle } from '#app/owner/settings/settings-page.tsx';
import { requireManager, requireSession } from '#server/accounts/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: await settingsTitle('account') };
}

export default async function AccountSettings() {
  await requireManager('/owner/settings');
  const [session, t] = await Promise.all([requireSession(), getTranslations('settings')]);
  const lead = <bdi>{t('signedInAs', { username: session.account.username })}</bdi>;
  return (
    <SettingsPage current="account" hasTabs={session.owner !== null} lead={lead}>
      <OwnSettings session={session} />
    </SettingsPage>
  );
}
