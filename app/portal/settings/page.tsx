import { Stack } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ConnectionState } from '#app/portal/live/bell/connection-state.tsx';
import { SoundPanel } from '#app/portal/live/controls/sound-panel.tsx';
import { DeviceSwitch } from '#app/portal/settings/device-switch.tsx';
import { KindSounds } from '#app/portal/settings/kind-sounds.tsx';
import { PopUpSettings } from '#app/portal/settings/pop-up-settings.tsx';
import { PortalPasswordForm } from '#app/portal/settings/portal-password-form.tsx';
import { QuietHours } from '#app/portal/settings/quiet-hours.tsx';
import { SoundChoice } from '#app/portal/settings/sound-choice.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { Section } from '#app/ui/frame/section.tsx';
import { SessionList } from '#app/ui/sessions/session-list.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireEmployee, requireSession } from '#server/accounts/require.ts';
import { vapidPublicKey } from '#server/push/push-message.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('settings'))('title') };
}

export default async function PortalSettings() {
  const employee = await requireEmployee('/portal/settings');
  const session = await requireSession();
  const { account } = session;
  const t = await getTranslations();
  return (
    <>
      <PageHead
        title={t('settings.title')}
        lead={<bdi>{t('settings.signedInAs', { username: account.username })}</bdi>}
      />
      <Stack maw={640}>
        <Section id="sound" title={t('sound.title')} lead={t('sound.lead')}>
          <ConnectionState />
          <SoundPanel />
          <SoundChoice />
          <KindSounds />
          <TextLink href="/portal/help">{t('sound.helpLink')}</TextLink>
        </Section>
        <Section id="pop-ups" title={t('popUps.title')}>
          <PopUpSettings />
        </Section>
        <Section id="quiet" title={t('quiet.title')} lead={t('quiet.lead')}>
          <QuietHours companyZone={employee.timeZone} zones={Intl.supportedValuesOf('timeZone')} />
        </Section>
        <Section id="device" title={t('device.title')} lead={t('device.lead')}>
          <DeviceSwitch publicKey={vapidPublicKey()} />
        </Section>
        <Section id="sessions" title={t('sessions.title')} lead={t('sessions.lead')}>
          <SessionList session={session} />
        </Section>
        <PortalPasswordForm username={account.username} />
      </Stack>
    </>
  );
}
