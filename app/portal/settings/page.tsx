import { Stack } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { DeviceSwitch } from '#app/portal/device/device-switch.tsx';
import { SoundPanel } from '#app/portal/live/controls/sound-panel.tsx';
import { ConnectionState } from '#app/portal/live/controls/status-bar.tsx';
import { KindSounds, PopUpSettings, QuietHours, SoundChoice } from '#app/portal/settings/preference-forms.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { Texts, titled } from '#app/ui/text/texts.tsx';
import { requireEmployee } from '#server/accounts/sign-in/require.ts';

export const generateMetadata = titled('nav', 'sound');

export default async function SoundSettings() {
  const employee = await requireEmployee('/portal/settings');
  const t = await getTranslations();
  return (
    <Texts of={['popUps', 'setup']}>
      <PageHead title={t('nav.sound')} />
      <Stack maw={640}>
        <Section id="sound" title={t('sound.title')} quiet lead={t('sound.lead')}>
          <ConnectionState />
          <SoundPanel />
          <details>
            <summary>{t('sound.more')}</summary>
            <Stack>
              <SoundChoice />
              <KindSounds />
            </Stack>
          </details>
          <TextLink href="/portal/help">{t('sound.helpLink')}</TextLink>
        </Section>
        <Section id="pop-ups" title={t('popUps.title')}>
          <PopUpSettings />
        </Section>
        <Section id="quiet" title={t('quiet.title')} lead={t('quiet.lead')}>
          <QuietHours companyZone={employee.timeZone} zones={Intl.supportedValuesOf('timeZone')} />
        </Section>
        <Section id="device" title={t('device.title')} lead={t('device.lead')}>
          <DeviceSwitch />
        </Section>
      </Stack>
    </Texts>
  );
}
