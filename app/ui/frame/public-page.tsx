import { Box, Card, Container, Group, Text, Title } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { LanguageSwitch } from '#app/language/language-switch.tsx';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { Texts } from '#app/ui/text/texts.tsx';

type Props = { logo?: LogoPicture | null; title: string; lead?: string; text?: string; children?: ReactNode };

/** A page before the sign-in. A `lead` introduces a form; a `text` is the content. */
export function PublicPage({ logo, title, lead, text, children }: Props) {
  const t = useTranslations('app');
  return (
    <Box mih="100dvh" py={{ base: 'md', sm: 64 }}>
      <Container size={480}>
        <Group component="header" justify="space-between" gap="xs" mb="md">
          <Group gap="xs" wrap="nowrap">
            <CompanyLogo logo={logo} />
            <Text fw={700}>{t('name')}</Text>
          </Group>
          <LanguageSwitch />
        </Group>
        <Card component="main" padding="min(2rem, 9vw)">
          <Title order={1} size="h2" className="wrapping">
            {title}
          </Title>
          {lead && (
            <Text c="dimmed" mt={4} mb="lg" className="wrapping">
              {lead}
            </Text>
          )}
          {text && (
            <Text mt="md" className="wrapping">
              {text}
            </Text>
          )}
          <Texts of={['demoLink', 'form', 'login']}>{children}</Texts>
        </Card>
      </Container>
    </Box>
  );
}
