import { Stack } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AlarmDeviceSection } from '#app/owner/alarms/alarm-device-section.tsx';
import { AlarmSwitches } from '#app/owner/alarms/alarm-switches.tsx';
import { CompanyForm } from '#app/owner/settings/company-form.tsx';
import { CreateExport } from '#app/owner/settings/export/create-export.tsx';
import { ExportList } from '#app/owner/settings/export/export-list.tsx';
import { LogoForm } from '#app/owner/settings/logo-form.tsx';
import { OwnSettings } from '#app/owner/settings/own-settings.tsx';
import { OwnerSection } from '#app/owner/settings/owners/owner-section.tsx';
import { RetentionForm } from '#app/owner/settings/retention-form.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { Section } from '#app/ui/frame/section.tsx';
import { requireManager, requireSession } from '#server/accounts/require.ts';
import { findLogo } from '#server/companies/logo.ts';
import { findRetention, notificationDays, refusalDays } from '#server/companies/retention.ts';
import { findAlarmSettings } from '#server/keys/alarms.ts';
import type { Owner } from '#server/principals.ts';
import type { OwnerSession } from '#server/push/owner-devices.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('settings'))('title') };
}

export default async function Settings() {
  await requireManager('/owner/settings');
  const [session, t] = await Promise.all([requireSession(), getTranslations('settings')]);
  const { account, owner } = session;
  return (
    <>
      <PageHead title={t('title')} lead={<bdi>{t('signedInAs', { username: account.username })}</bdi>} />
      <Stack maw={640}>
        {owner && <CompanySettings owner={owner} />}
        <OwnSettings session={session} />
        {owner && <AlarmSettings owner={owner} sessionId={session.sessionId} />}
        {owner && <KeptData owner={owner} />}
      </Stack>
    </>
  );
}

async function CompanySettings({ owner }: { owner: Owner }) {
  const [t, logo] = await Promise.all([getTranslations('settings'), findLogo(owner)]);
  const zones = Intl.supportedValuesOf('timeZone');
  return (
    <>
      <Section id="company" title={t('companyTitle')}>
        <LogoForm logo={pictureOf(logo)} company={owner.companyName} />
        <CompanyForm companyName={owner.companyName} timeZone={owner.timeZone} ownerName={owner.name} zones={zones} />
      </Section>
      <OwnerSection owner={owner} />
    </>
  );
}

async function AlarmSettings(session: OwnerSession) {
  return (
    <>
      <AlarmSwitches initial={await findAlarmSettings(session.owner)} />
      <AlarmDeviceSection session={session} />
    </>
  );
}

async function KeptData({ owner }: { owner: Owner }) {
  const [t, retention] = await Promise.all([getTranslations(), findRetention(owner)]);
  return (
    <>
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
    </>
  );
}
