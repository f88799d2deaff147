import { Container, Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { TextLink } from '#app/ui/text-link.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('app'))('notFoundTitle') };
}

export default async function NotFound() {
  const t = await getTranslations('app');
  return (
    <Container size="xs" py={80} component="main">
      <Title order={1}>{t('notFoundTitle')}</Title>
      <Text my="md">{t('notFoundText')}</Text>
      <TextLink href="/">{t('home')}</TextLink>
    </Container>
  );
}
