import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { CompanyForm } from '#app/owner/settings/company-form.tsx';
import { CreateExport } from '#app/owner/settings/export/create-export.tsx';
import { ExportList } from '#app/owner/settings/export/export-list.tsx';
import { LogoForm } from '#app/owner/settings/logo-form.tsx';
import { RetentionForm } from '#app/owner/settings/retention-form.tsx';
import { SettingsPage, settingsTitle } from '#app/owner/settings/settings-page.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { Section } from '#app/ui/frame/section.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { findLogo } from '#server/companies/logo.ts';
import { findRetention, notificationDays, refusalDays } from '#server/companies/retention.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: await settingsTitle('company') };
}

export default async function CompanySettings() {
  const owner = await requireOwner('/owner/settings/company');
  const [t, logo, retention] = await Promise.all([getTranslations(), findLogo(owner), findRetention(owner)]);
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <SettingsPage current="company">
      <Section id="company" title={t('settings.companyTitle')}>
        <LogoForm logo={pictureOf(logo)} company={owner.companyName} />
        <CompanyForm companyName={owner.companyName} timeZone={owner.timeZone} ownerName={owner.name} zones={zones} />
      </Section>
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
    </SettingsPage>
  );
}
