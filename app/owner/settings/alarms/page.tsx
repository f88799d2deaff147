import { getTranslations } from 'next-intl/server';
import { AlarmDevices, AlarmSwitches } from '#app/owner/alarms/alarm-settings.tsx';
import { SettingsPage } from '#app/owner/settings/settings-page.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { nameOfBrowser } from '#app/ui/sessions/sign-in-sections.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireOwner, requireSession } from '#server/accounts/sign-in/require.ts';
import { findAlarmSettings } from '#server/keys/alarms.ts';
import { vapidPublicKey } from '#server/push/deliver.ts';
import { listOwnerDevices } from '#server/push/owner-devices.ts';

export const generateMetadata = titled('nav', 'alarms');

export default async function AlarmSettings() {
  const owner = await requireOwner('/owner/settings/alarms');
  const { sessionId } = await requireSession();
  const t = await getTranslations('alarmSettings.devices');
  const [settings, devices] = await Promise.all([findAlarmSettings(owner), listOwnerDevices({ owner, sessionId })]);
  const named = await Promise.all(
    devices.map(async ({ client, ...device }) => ({ ...device, name: await nameOfBrowser(client) })),
  );
  const device = { account: `${owner.companyId}:${owner.accountId}`, sessionId };
  return (
    <SettingsPage name="alarms">
      <AlarmSwitches initial={settings} />
      <Section id="alarm-devices" title={t('title')} lead={t('lead')}>
        <AlarmDevices publicKey={vapidPublicKey()} device={device} devices={named} />
      </Section>
    </SettingsPage>
  );
}
