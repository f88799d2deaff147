'use client';

import { Button, Container, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';

export default function PageError({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  const t = useTranslations('app');
  return (
    <Container size="xs" py={80} component="main">
      <Title order={1}>{t('errorTitle')}</Title>
      <Text my="md">{t('errorText')}</Text>
      {error.digest && (
        <Text size="sm" c="dimmed" mb="md">
          {error.digest}
        </Text>
      )}
      <Button onClick={reset}>{t('retry')}</Button>
    </Container>
  );
}
