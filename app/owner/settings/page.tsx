import { Stack } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { LanguageChoice } from '#app/language/language-choice.tsx';
import { AlarmSwitches } from '#app/owner/alarms/alarm-switches.tsx';
import { CompanyForm } from '#app/owner/settings/company-form.tsx';
import { CreateExport } from '#app/owner/settings/export/create-export.tsx';
import { ExportList } from '#app/owner/settings/export/export-list.tsx';
import { LogoForm } from '#app/owner/settings/logo-form.tsx';
import { OwnerSection } from '#app/owner/settings/owners/owner-section.tsx';
import { RetentionForm } from '#app/owner/settings/retention-form.tsx';
import { SearchKeySwitch } from '#app/owner/settings/search-key-switch.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { Section } from '#app/ui/frame/section.tsx';
import { PasswordForm } from '#app/ui/sessions/password-form.tsx';
import { SessionList } from '#app/ui/sessions/session-list.tsx';
import { requireOwner, requireSession } from '#server/accounts/require.ts';
import { findLogo } from '#server/companies/logo.ts';
import { findRetention, notificationDays, refusalDays } from '#server/companies/retention.ts';
import { findAlarmSettings } from '#server/keys/alarms.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('settings'))('title') };
}

export default async function OwnerSettings() {
  const owner = await requireOwner('/owner/settings');
  const [session, t, alarmSettings, retention, logo] = await Promise.all([
    requireSession(),
    getTranslations(),
    findAlarmSettings(owner),
    findRetention(owner),
    findLogo(owner),
  ]);
  const { username } = session.account;
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <>
      <PageHead title={t('settings.title')} lead={<bdi>{t('settings.signedInAs', { username })}</bdi>} />
      <Stack maw={640}>
        <Section id="company" title={t('settings.companyTitle')}>
          <LogoForm logo={pictureOf(logo)} company={owner.companyName} />
          <CompanyForm companyName={owner.companyName} timeZone={owner.timeZone} ownerName={owner.name} zones={zones} />
        </Section>
        <OwnerSection owner={owner} />
        <Section id="language" title={t('app.language')} lead={t('settings.languageLead')}>
          <LanguageChoice />
          <SearchKeySwitch />
        </Section>
        <Section id="sessions" title={t('sessions.title')} lead={t('sessions.lead')}>
          <SessionList session={session} />
        </Section>
        <PasswordForm username={username} />
        <AlarmSwitches initial={alarmSettings} />
        <Section id="retention" title={t('retention.title')} lead={t('retention.lead')}>
          <RetentionForm
            kept={retention}
            choices={{ notifications: [...notificationDays], refusals: [...refusalDays] }}
          />
        </Section>
        <Section id="export" title={t('exports.title')} lead={t('exports.lead')}>
          <CreateExport />
          <ExportList owner={owner} />
        </Section>
      </Stack>
    </>
  );
}
