'use client';

import { Alert, Button, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { startTransition } from 'react';

/** In place of a page that could not be loaded: that nothing changed, how to try again, and what to tell whoever runs the service. */
export function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('app');
  const router = useRouter();
  // `reset` alone would draw the same failed answer again.
  const retry = () =>
    startTransition(() => {
      router.refresh();
      reset();
    });
  return (
    <Alert color="red" role="alert" icon={<CircleAlert aria-hidden />} title={t('errorTitle')} maw={640}>
      <Text>{t('errorText')}</Text>
      {error.digest && (
        <Text size="sm" mt="xs">
          {t('errorReference', { digest: error.digest })}
        </Text>
      )}
      <Button mt="md" onClick={retry}>
        {t('retry')}
      </Button>
    </Alert>
  );
}
