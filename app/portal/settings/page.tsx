import { Stack } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { DeviceSwitch } from '#app/portal/device/device-switch.tsx';
import { SoundPanel } from '#app/portal/live/controls/sound-panel.tsx';
import { ConnectionState } from '#app/portal/live/controls/status-bar.tsx';
import { PortalPasswordForm } from '#app/portal/settings/portal-password-form.tsx';
import { KindSounds, PopUpSettings, SoundChoice } from '#app/portal/settings/preference-forms.tsx';
import { QuietHours } from '#app/portal/settings/quiet-hours.tsx';
import { PageHead, Section } from '#app/ui/frame/page-head.tsx';
import { IdentitySection } from '#app/ui/sessions/identity-section.tsx';
import { PasskeySection } from '#app/ui/sessions/passkey-list.tsx';
import { SessionList } from '#app/ui/sessions/session-list.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { hasPassword } from '#server/accounts/sign-in/identities.ts';
import { requireEmployee, requireSession } from '#server/accounts/sign-in/require.ts';
import { vapidPublicKey } from '#server/push/deliver.ts';

export const generateMetadata = titled('settings', 'title');

type Query = { identity?: string | string[] };

export default async function PortalSettings({ searchParams }: { searchParams: Promise<Query> }) {
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
        {session.needsSecondFactor ? (
          <TextLink href="/login/second-factor?returnTo=/portal/settings">{t('passkeys.factorTitle')}</TextLink>
        ) : (
          <>
            <PasskeySection account={account} />
            <IdentitySection account={account} outcome={(await searchParams).identity} />
            {(await hasPassword(account)) && <PortalPasswordForm username={account.username} />}
          </>
        )}
      </Stack>
    </>
  );
}
