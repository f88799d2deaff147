'use client';

import { Alert, Button, Card, Progress, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { Download } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { createExportAction } from '#app/owner/settings/actions.ts';
import type { ExportState } from '#app/owner/settings/export-state.ts';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';

const pollIntervalMs = 1000;

export function ExportProgress({ id, initial }: { id: string; initial: ExportState }) {
  const t = useTranslations('exports');
  const [exported, setExported] = useState(initial);
  const [isOffline, setIsOffline] = useState(false);
  const making = exported.state === 'making';
  const poll = async () => {
    const response = await fetch(`/owner/settings/export/${id}/state`).catch(() => null);
    setIsOffline(!response?.ok);
    if (response?.ok) setExported((await response.json()) as ExportState);
  };
  useInterval(() => void (making && poll()), pollIntervalMs, { autoInvoke: true });
  return (
    <Card withBorder maw={560}>
      <Stack>
        <div role="status">
          <Text fw={600}>{t(`state.${exported.state}`)}</Text>
        </div>
        {making && (
          <>
            <Progress value={exported.percent} size="lg" aria-label={t('progress')} />
            <Text c="dimmed">{t('percent', { percent: exported.percent })}</Text>
            <Text size="sm">{t('mayLeave')}</Text>
          </>
        )}
        {isOffline && <Alert color="orange">{t('lost')}</Alert>}
        {exported.state === 'failed' && (
          <>
            <Alert color="red">{t('failedText')}</Alert>
            <CreateExport />
          </>
        )}
        {exported.state === 'ready' && <Ready id={id} exported={exported} />}
      </Stack>
    </Card>
  );
}

function Ready({ id, exported }: { id: string; exported: ExportState }) {
  const t = useTranslations('exports');
  const format = useFormatter();
  const size = format.number(Math.max(0.1, exported.bytes / 1024 / 1024), { maximumFractionDigits: 1 });
  return (
    <>
      <Button
        component="a"
        href={`/owner/settings/export/${id}/file`}
        download
        leftSection={<Download aria-hidden size={18} />}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('download', { size })}
      </Button>
      {exported.until && (
        <Text className="fine-print">{t.rich('until', { when: () => <Timestamp at={exported.until ?? ''} /> })}</Text>
      )}
      <Text size="sm">{t('careful')}</Text>
    </>
  );
}

export function CreateExport() {
  const t = useTranslations('exports');
  const router = useRouter();
  const { run, pending, problems, dialog } = useReauthenticatedAction(createExportAction, (id: string) =>
    router.push(`/owner/settings/export/${id}`),
  );
  return (
    <>
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      <Button
        leftSection={<Download aria-hidden size={18} />}
        loading={pending}
        onClick={() => void run(null)}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('create')}
      </Button>
      {dialog}
    </>
  );
}
