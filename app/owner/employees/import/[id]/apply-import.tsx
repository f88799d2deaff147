'use client';

import { Alert, Button, Checkbox, Group, Loader, Text } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { saveImportAction } from '#app/owner/employees/import/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

const refreshIntervalMs = 1000;

/**
 * The button that saves all rows without a problem. `inactive` counts people of the list who could
 * be activated again. If employees changed since `shown`, the page shows the rows anew.
 */
export function ApplyImport({
  id,
  shown,
  counts: { added, changed, wrong, inactive },
}: {
  id: string;
  shown: string;
  counts: { added: number; changed: number; wrong: number; inactive: number };
}) {
  const t = useTranslations('imports');
  const router = useRouter();
  const [isStale, setIsStale] = useState(false);
  const [reactivate, setReactivate] = useState(false);
  const finish = ({ stale }: { stale: boolean }) => {
    setIsStale(stale);
    router.refresh();
  };
  const { run, pending, problems } = useAction(saveImportAction, finish, { gone: t('gone') });
  const saved = added + changed > 0 || (reactivate && inactive > 0);
  const name = () => {
    if (changed > 0) return added > 0 ? t('applyBoth', { added, changed }) : t('applyUpdate', { count: changed });
    if (added > 0 || shown === '') return t('apply', { count: added });
    return saved ? t('reactivate', { count: inactive }) : t('applyNothing');
  };
  return (
    <>
      {isStale && (
        <Alert color="yellow" role="alert">
          {t('stale')}
        </Alert>
      )}
      {problems.form && (
        <Alert color="red" role="alert">
          {problems.form}
        </Alert>
      )}
      {inactive > 0 && (
        <Checkbox
          size="md"
          checked={reactivate}
          onChange={(event) => setReactivate(event.currentTarget.checked)}
          label={t('reactivate', { count: inactive })}
          description={t('reactivateHint')}
        />
      )}
      <Group>
        <Button disabled={!saved} loading={pending} onClick={() => void run({ id, shown, reactivate })}>
          {name()}
        </Button>
        <Text role="status" size="sm">
          {pending
            ? changed > 0
              ? t('saving')
              : t('applying', { count: added })
            : wrong > 0 && t('willLeaveOut', { count: wrong })}
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
