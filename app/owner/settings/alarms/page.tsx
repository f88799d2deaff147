import type { Metadata } from 'next';
import { AlarmDeviceSection } from '#app/owner/alarms/alarm-device-section.tsx';
import { AlarmSwitches } from '#app/owner/alarms/alarm-switches.tsx';
import { SettingsPage, settingsTitle } from '#app/owner/settings/settings-page.tsx';
import { requireOwner, requireSession } from '#server/accounts/require.ts';
import { findAlarmSettings } from '#server/keys/alarms.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: await settingsTitle('alarms') };
}

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
