import { Box, Card, Container, Group, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LanguageSwitch } from '#app/language/language-switch.tsx';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { Texts } from '#app/ui/text/texts.tsx';

/** The frame of the pages before the sign-in, with the company's logo where it is known. */
export function PublicPage({ logo, children }: { logo?: LogoPicture | null; children: ReactNode }) {
  const t = useTranslations('app');
  return (
    <Box mih="100dvh" py={{ base: 'md', sm: 64 }}>
      <Container size={480}>
        <Group component="header" justify="space-between" mb="md" wrap="nowrap">
          <Group gap="xs" wrap="nowrap">
            <CompanyLogo logo={logo} />
            <Text fw={700}>{t('name')}</Text>
          </Group>
          <LanguageSwitch />
        </Group>
        <Card component="main" padding="xl">
          <Texts of={['demoLink', 'form', 'invite', 'login', 'setup']}>{children}</Texts>
        </Card>
      </Container>
    </Box>
  );
}
