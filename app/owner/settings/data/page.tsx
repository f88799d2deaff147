import { Stack } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { CreateExport } from '#app/owner/settings/export/export-progress.tsx';
import { getExportStage } from '#app/owner/settings/export-state.ts';
import { RetentionForm } from '#app/owner/settings/settings-forms.tsx';
import { SettingsPage } from '#app/owner/settings/settings-page.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { useExactTime } from '#app/ui/text/timestamp.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findRetention, notificationDays, rejectedRequestDays } from '#server/companies/retention.ts';
import { type Export, listExports } from '#server/exports/exports.ts';
import type { Owner } from '#server/principals.ts';

export const generateMetadata = titled('nav', 'data');

export default async function DataSettings() {
  const owner = await requireOwner('/owner/settings/data');
  const [t, retention] = await Promise.all([getTranslations(), findRetention(owner)]);
  return (
    <SettingsPage name="data">
      <Section id="retention" title={t('retention.title')} lead={t('retention.lead')}>
        <RetentionForm
          kept={retention}
          choices={{ notifications: [...notificationDays], refusals: [...rejectedRequestDays] }}
        />
      </Section>
      <Section id="export" title={t('exports.title')} lead={t('exports.lead')}>
        <CreateExport />
        <ExportList owner={owner} />
      </Section>
    </SettingsPage>
  );
}

async function ExportList({ owner }: { owner: Owner }) {
  const t = await getTranslations('exports');
  const exported = await listExports(owner);
  if (exported.length === 0) return null;
  return (
    <Stack component="ul" gap={0} p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('list')}>
      {exported.map((one) => (
        <li key={one.id}>
          <Entry exported={one} />
        </li>
      ))}
    </Stack>
  );
}

function Entry({ exported }: { exported: Export }) {
  const t = useTranslations('exports');
  const { full } = useExactTime(exported.createdAt);
  return (
    <TextLink href={`/owner/settings/export/${exported.id}`}>
      {`${full} · ${t(`state.${getExportStage(exported)}`)}`}
    </TextLink>
  );
}
