import { Box, Card, Container, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LanguageSwitch } from '#app/language/language-switch.tsx';
import { Mark } from '#app/ui/frame/mark.tsx';
import { Texts } from '#app/ui/text/texts.tsx';

/** The frame of the pages before the sign-in. */
export function PublicPage({ children }: { children: ReactNode }) {
  const t = useTranslations('app');
  return (
    <Box mih="100dvh" py={{ base: 'md', sm: 64 }}>
      <Container size={480}>
        <Group component="header" justify="space-between" mb="md" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <Mark />
            <Text fw={700}>{t('name')}</Text>
          </Group>
          <LanguageSwitch />
        </Group>
        <Card component="main" padding="xl">
          <Texts of={['form', 'invite', 'login', 'setup']}>{children}</Texts>
        </Card>
      </Container>
    </Box>
  );
}
