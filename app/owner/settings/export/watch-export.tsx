'use client';

import { Alert, Button, Card, Progress, Stack, Text } from '@mantine/core';
import { Download } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { CreateExport } from '#app/owner/settings/export/create-export.tsx';
import type { ExportState } from '#app/owner/settings/export/export-state.ts';
import { Moment } from '#app/ui/text/moment.tsx';

const everyMs = 1000;

/** How far a copy is, and the copy itself once it is ready. */
export function WatchExport({ id, beginning }: { id: string; beginning: ExportState }) {
  const t = useTranslations('exports');
  const { copy, lost } = useExportState(id, beginning);
  return (
    <Card withBorder maw={560}>
      <Stack>
        <div role="status">
          <Text fw={600}>{t(`state.${copy.state}`)}</Text>
        </div>
        {copy.state === 'making' && (
          <>
            <Progress value={copy.percent} size="lg" aria-label={t('progress')} />
            <Text c="dimmed">{t('percent', { percent: copy.percent })}</Text>
            <Text size="sm">{t('mayLeave')}</Text>
          </>
        )}
        {lost && <Alert color="orange">{t('lost')}</Alert>}
        {copy.state === 'failed' && (
          <>
            <Alert color="red">{t('failedText')}</Alert>
            <CreateExport />
          </>
        )}
        {copy.state === 'ready' && <Ready id={id} copy={copy} />}
      </Stack>
    </Card>
  );
}

function Ready({ id, copy }: { id: string; copy: ExportState }) {
  const t = useTranslations('exports');
  const format = useFormatter();
  const size = format.number(Math.max(0.1, copy.bytes / 1024 / 1024), { maximumFractionDigits: 1 });
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
      {copy.until && (
        <Text size="sm" c="dimmed">
          {t.rich('until', { when: () => <Moment at={copy.until ?? ''} /> })}
        </Text>
      )}
      <Text size="sm">{t('careful')}</Text>
    </>
  );
}

function useExportState(id: string, beginning: ExportState): { copy: ExportState; lost: boolean } {
  const [copy, setCopy] = useState(beginning);
  const [lost, setLost] = useState(false);
  const making = copy.state === 'making';
  useEffect(() => {
    if (!making) return;
    const ask = async () => {
      const answer = await fetch(`/owner/settings/export/${id}/state`).catch(() => null);
      setLost(!answer?.ok);
      if (answer?.ok) setCopy((await answer.json()) as ExportState);
    };
    const timer = setInterval(() => void ask(), everyMs);
    return () => clearInterval(timer);
  }, [id, making]);
  return { copy, lost };
}
