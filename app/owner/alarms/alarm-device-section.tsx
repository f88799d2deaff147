import { getTranslations } from 'next-intl/server';
import { AlarmDevices } from '#app/owner/alarms/alarm-devices.tsx';
import { Section } from '#app/ui/frame/section.tsx';
import { nameOfBrowser } from '#app/ui/sessions/browser-label.ts';
import { listOwnerDevices, type OwnerSession } from '#server/push/owner-devices.ts';
import { vapidPublicKey } from '#server/push/push-message.ts';

/** The section of the settings with the devices on which this owner gets alarms. */
export async function AlarmDeviceSection({ session }: { session: OwnerSession }) {
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
