import { Card, Group, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core';
import { Check, Circle } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AuditList } from '#app/owner/audit/audit-list.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { TextLink } from '#app/ui/text-link.tsx';
import { listSends } from '#server/audit.ts';
import { countEmployees } from '#server/employee-list.ts';
import { listKeys } from '#server/keys.ts';
import { requireOwner } from '#server/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('owner'))('title') };
}

export default async function OwnerHome() {
  const owner = await requireOwner('/owner');
  const t = await getTranslations('owner');
  const [employees, keys, sends] = await Promise.all([countEmployees(owner), listKeys(owner), listSends(owner, 5)]);
  const steps = [
    { done: employees > 0, href: '/owner/employees', title: t('stepEmployee'), text: t('stepEmployeeText') },
    { done: keys.length > 0, href: '/owner/keys', title: t('stepKey'), text: t('stepKeyText') },
    { done: sends.length > 0, href: '/owner/keys', title: t('stepSend'), text: t('stepSendText') },
  ];
  return (
    <>
      <PageHead title={t('title')} />
      <Stack gap="xl">
        {steps.some(({ done }) => !done) && (
          <section aria-labelledby="steps">
            <Title order={2} size="h4" id="steps" mb="sm">
              {t('steps')}
            </Title>
            <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
              {steps.map((step) => (
                <Step key={step.title} {...step} doneText={t('done')} />
              ))}
            </Stack>
          </section>
        )}
        <section aria-labelledby="recent">
          <Title order={2} size="h4" id="recent" mb="sm">
            {t('recent')}
          </Title>
          {sends.length === 0 ? <Text c="dimmed">{t('none')}</Text> : <AuditList entries={sends} />}
          <Text mt="md">
            <TextLink href="/owner/audit">{t('allAudit')}</TextLink>
          </Text>
        </section>
      </Stack>
    </>
  );
}

function Step({
  done,
  href,
  title,
  text,
  doneText,
}: {
  done: boolean;
  href: string;
  title: string;
  text: string;
  doneText: string;
}) {
  return (
    <Card component="li" withBorder padding="sm">
      <Group wrap="nowrap">
        <ThemeIcon variant="light" color={done ? 'green' : 'gray'} radius="xl" size={36}>
          {done ? <Check aria-hidden size={20} /> : <Circle aria-hidden size={20} />}
        </ThemeIcon>
        <div>
          {done ? (
            <Text fw={600}>
              {title} <VisuallyHidden>({doneText})</VisuallyHidden>
            </Text>
          ) : (
            <TextLink href={href} fw={600}>
              {title}
            </TextLink>
          )}
          <Text size="sm" c="dimmed">
            {text}
          </Text>
        </div>
      </Group>
    </Card>
  );
}
