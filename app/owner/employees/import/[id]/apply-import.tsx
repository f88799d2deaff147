'use client';

import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect } from 'react';
import { applyImportAction } from '#app/owner/employees/import/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

const refreshIntervalMs = 1000;

/** The button that adds the employees of all rows without a problem. */
export function ApplyImport({ id, ready, wrong }: { id: string; ready: number; wrong: number }) {
  const t = useTranslations('imports');
  const router = useRouter();
  const { run, pending, problems } = useAction(applyImportAction, () => router.refresh(), { gone: t('gone') });
  return (
    <>
      {problems.form && (
        <Alert color="red" role="alert">
          {problems.form}
        </Alert>
      )}
      <Group>
        <Button disabled={ready === 0} loading={pending} onClick={() => void run({ id })}>
          {t('apply', { count: ready })}
        </Button>
        <Text role="status" size="sm">
          {pending ? t('applying', { count: ready }) : wrong > 0 && t('willLeaveOut', { count: wrong })}
        </Text>
      </Group>
    </>
  );
}

/** Refreshes the page while another request adds the employees. */
export function ImportInProgress() {
  const t = useTranslations('imports');
  const router = useRouter();
  useEffect(() => {
    const timer = setInterval(() => router.refresh(), refreshIntervalMs);
    return () => clearInterval(timer);
  }, [router]);
  return (
    <Alert role="status" icon={<Loader size={18} />}>
      {t('adding')}
    </Alert>
  );
}
