import { Anchor, Container, Text, Title } from '@mantine/core';
import { getTranslations } from 'next-intl/server';

export default async function NotFound() {
  const t = await getTranslations('app');
  return (
    <Container size="xs" py={80} component="main">
      <Title order={1}>{t('notFoundTitle')}</Title>
      <Text my="md">{t('notFoundText')}</Text>
      <Anchor href="/">{t('home')}</Anchor>
    </Container>
  );
}
