'use client';

import { Alert, Button, Progress, Stack, Text } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { Download } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { createExportAction } from '#app/owner/settings/actions.ts';
import type { ExportState } from '#app/owner/settings/export-state.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { Timestamp } from '#app/ui/text/timestamp.tsx';

const pollIntervalMs = 1000;

/** The state of an export, polled every second while it is made. */
export function ExportProgress({ id, initial }: { id: string; initial: ExportState }) {
  const t = useTranslations('exports');
  const router = useRouter();
  const [exported, setExported] = useState(initial);
  const [isOffline, setIsOffline] = useState(false);
  const making = exported.state === 'making';
  const poll = async () => {
    const response = await fetch(`/owner/settings/export/${id}/state`).catch(() => null);
    setIsOffline(!response?.ok);
    if (!response?.ok) return;
    const now = (await response.json()) as ExportState;
    setExported(now);
    // A finished export replaces the earlier ones.
    if (now.state !== 'making') router.refresh();
  };
  useInterval(() => void (making && poll()), pollIntervalMs, { autoInvoke: true });
  return (
    <Stack gap="xs">
      <Text fw={600} role="status">
        {t(`state.${exported.state}`)}
      </Text>
      {making && (
        <>
          <Progress value={exported.percent} size="lg" aria-label={t('progress')} />
          <Text size="sm">
            {t('percent', { percent: exported.percent })}. {t('mayLeave')}
          </Text>
        </>
      )}
      {isOffline && <Alert color="orange">{t('lost')}</Alert>}
      {exported.state === 'failed' && <Alert color="red">{t('failedText')}</Alert>}
      {exported.state === 'ready' && <Ready id={id} {...exported} />}
    </Stack>
  );
}

function Ready({ id, bytes, until }: { id: string; bytes: number; until: string }) {
  const t = useTranslations('exports');
  const format = useFormatter();
  const size = format.number(Math.max(0.1, bytes / 1024 / 1024), { maximumFractionDigits: 1 });
  return (
    <>
      <Button
        component="a"
        href={`/owner/settings/export/${id}/file`}
        download
        leftSection={<Download />}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('download', { size })}
      </Button>
      <Text className="fine-print">{t.rich('until', { when: () => <Timestamp at={until} /> })}</Text>
      <Text size="sm">{t('careful')}</Text>
    </>
  );
}

export function CreateExport() {
  const t = useTranslations('exports');
  const { run, pending, problems } = useAction(createExportAction);
  return (
    <>
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      <Button
        leftSection={<Download />}
        loading={pending}
        onClick={() => void run(null)}
        style={{ alignSelf: 'flex-start' }}
      >
        {t('create')}
      </Button>
    </>
  );
}
