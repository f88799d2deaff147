import { getTranslations } from 'next-intl/server';
import { AlarmDevices, AlarmSwitches } from '#app/owner/alarms/alarm-settings.tsx';
import { SettingsPage, settingsTitle } from '#app/owner/settings/settings-page.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { nameOfBrowser } from '#app/ui/sessions/session-list.tsx';
import { requireOwner, requireSession } from '#server/accounts/sign-in/require.ts';
import { findAlarmSettings } from '#server/keys/alarms.ts';
import { listOwnerDevices, type OwnerSession } from '#server/push/owner-devices.ts';
import { vapidPublicKey } from '#server/push/push-message.ts';

export const generateMetadata = settingsTitle('alarms');

export default async function AlarmSettings() {
  const owner = await requireOwner('/owner/settings/alarms');
  const [{ sessionId }, settings] = await Promise.all([requireSession(), findAlarmSettings(owner)]);
  return (
    <SettingsPage current="alarms">
      <AlarmSwitches initial={settings} />
      <AlarmDeviceSection session={{ owner, sessionId }} />
    </SettingsPage>
  );
}

/** The section of the settings with the devices on which this owner gets alarms. */
async function AlarmDeviceSection({ session }: { session: OwnerSession }) {
  const { owner, sessionId } = session;
  const [t, devices] = await Promise.all([getTranslations('alarms.devices'), listOwnerDevices(session)]);
  const named = await Promise.all(
    devices.map(async ({ client, ...device }) => ({ ...device, name: await nameOfBrowser(client) })),
  );
  return (
    <Section id="alarm-devices" title={t('title')} lead={t('lead')}>
      <AlarmDevices
        publicKey={vapidPublicKey()}
        device={{ account: `${owner.companyId}:${owner.accountId}`, sessionId }}
        devices={named}
      />
    </Section>
  );
}
