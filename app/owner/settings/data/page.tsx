import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { getFormatter, getTranslations } from 'next-intl/server';
import { createExportAction } from '#app/owner/settings/actions.ts';
import { getExportWords } from '#app/owner/settings/export-words.ts';
import { RetentionForm } from '#app/owner/settings/settings-forms.tsx';
import { SettingsPage } from '#app/owner/settings/settings-page.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { Refreshing } from '#app/ui/frame/refreshing.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { findRetention, notificationDays, rejectedRequestDays } from '#server/companies/companies.ts';
import { type Export, keptHours, listExports } from '#server/exports/exports.ts';

export const generateMetadata = titled('nav', 'data');

export default async function DataSettings() {
  const owner = await requireOwner('/owner/settings/data');
  const [t, words] = await Promise.all([getTranslations(), getExportWords(owner)]);
  const [retention, exports] = await Promise.all([findRetention(owner), listExports(owner, words)]);
  const choices = { notifications: [...notificationDays], refusals: [...rejectedRequestDays] };
  return (
    <SettingsPage name="data">
      <Section id="retention" title={t('retention.title')} lead={t('retention.lead')}>
        <RetentionForm retention={retention} choices={choices} />
      </Section>
      <Section id="export" title={t('exports.title')} lead={t('exports.lead')}>
        <SavedForm action={createExportAction} submit={t('exports.create')} />
        {exports.map((copy) => (
          <Copy key={copy.id} copy={copy} />
        ))}
      </Section>
    </SettingsPage>
  );
}

const hourMs = 3_600_000;

async function Copy({ copy }: { copy: Export }) {
  const [t, format] = await Promise.all([getTranslations('exports'), getFormatter()]);
  const { id, finishedAt, failedAt, rowsDone, rowsTotal, bytes } = copy;
  const state = finishedAt ? 'ready' : failedAt ? 'failed' : 'making';
  const percent = Math.min(99, Math.floor((100 * rowsDone) / Math.max(1, rowsTotal)));
  const size = format.number(Math.max(0.1, bytes / 1024 / 1024), { maximumFractionDigits: 1 });
  return (
    <Stack gap="xs" align="flex-start">
      <Text fw={600} role="status">
        {t(`state.${state}`)}
      </Text>
      {state === 'making' && (
        <>
          <Refreshing />
          <Progress value={percent} size="lg" w="100%" aria-label={t('progress')} />
          <Text size="sm">
            {t('percent', { percent })}. {t('mayLeave')}
          </Text>
        </>
      )}
      {state === 'failed' && <Alert color="red">{t('failedText')}</Alert>}
      {finishedAt && (
        <>
          <Button component="a" href={`/owner/settings/export/${id}/file`} download leftSection={<Download />}>
            {t('download', { size })}
          </Button>
          <Text className="fine-print">
            {t.rich('until', { when: () => <Timestamp at={new Date(finishedAt.getTime() + keptHours * hourMs)} /> })}
          </Text>
          <Text size="sm">{t('careful')}</Text>
        </>
      )}
    </Stack>
  );
}
