import type { Metadata } from 'next';
import { OwnerSection } from '#app/owner/settings/owners/owner-section.tsx';
import { SettingsPage, settingsTitle } from '#app/owner/settings/settings-page.tsx';
import { requireOwner } from '#server/accounts/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: await settingsTitle('access') };
}

export default async function AccessSettings() {
  const owner = await requireOwner('/owner/settings/access');
  return (
    <SettingsPage current="access">
      <OwnerSection owner={owner} />
    </SettingsPage>
  );
}
