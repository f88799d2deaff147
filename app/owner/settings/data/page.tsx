import { getTranslations } from 'next-intl/server';
import { CreateExport, ExportProgress } from '#app/owner/settings/export/export-progress.tsx';
import { asExportState } from '#app/owner/settings/export-state.ts';
import { RetentionForm } from '#app/owner/settings/settings-forms.tsx';
import { SettingsPage } from '#app/owner/settings/settings-page.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findRetention, notificationDays, rejectedRequestDays } from '#server/companies/retention.ts';
import { listExports } from '#server/exports/exports.ts';

export const generateMetadata = titled('nav', 'data');

export default async function DataSettings() {
  const owner = await requireOwner('/owner/settings/data');
  const [t, retention, exports] = await Promise.all([getTranslations(), findRetention(owner), listExports(owner)]);
  return (
    <SettingsPage name="data">
      <Section id="retention" title={t('retention.title')} lead={t('retention.lead')}>
        <RetentionForm
          retention={retention}
          choices={{ notifications: [...notificationDays], refusals: [...rejectedRequestDays] }}
        />
      </Section>
      <Section id="export" title={t('exports.title')} lead={t('exports.lead')}>
        <CreateExport />
        {exports.map((item) => (
          <ExportProgress key={item.id} id={item.id} initial={asExportState(item)} />
        ))}
      </Section>
    </SettingsPage>
  );
}
