'use client';

import { Alert, Button, Card, Group, Loader, Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import { Check } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { AddMe } from '#app/owner/employees/add-employee.tsx';
import { useProgress } from '#app/owner/home/use-progress.ts';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import type { Progress } from '#server/companies/overview.ts';

type Step = {
  name: 'company' | 'account' | 'employee' | 'key' | 'seen';
  done: boolean;
  about: string;
  actions?: ReactNode;
};

/**
 * The steps from an empty company to the first notification that an employee saw. The next step has
 * buttons that lead to it.
 */
export function FirstSteps({
  initial,
  company,
  username,
  isEmployee,
}: {
  initial: Progress;
  company: string;
  username: string;
  isEmployee: boolean;
}) {
  const t = useTranslations('owner');
  const router = useRouter();
  const { hasEmployee, hasKey, hasSend, hasSeen } = useProgress(initial);
  const steps: Step[] = [
    { name: 'company', done: true, about: company },
    { name: 'account', done: true, about: username },
    {
      name: 'employee',
      done: hasEmployee,
      about: t('step.employee.text'),
      actions: (
        <>
          {!isEmployee && <AddMe />}
          <ButtonLink href="/owner/employees">{t('step.employee.do')}</ButtonLink>
        </>
      ),
    },
    {
      name: 'key',
      done: hasKey,
      about: t('step.key.text'),
      actions: <ButtonLink href="/owner/keys">{t('step.key.do')}</ButtonLink>,
    },
    {
      name: 'seen',
      done: hasSeen,
      about: t('step.seen.text'),
      actions: (
        <>
          <Group gap="xs" role="status" wrap="nowrap">
            <Loader size="sm" aria-hidden />
            <Text size="sm">{hasSend ? t('step.seen.sent') : t('step.seen.waiting')}</Text>
          </Group>
          <ButtonLink href="/owner/sends/new">{t('step.seen.do')}</ButtonLink>
        </>
      ),
    },
  ];
  const current = steps.find(({ done }) => !done)?.name;
  return (
    <Stack>
      {current === undefined && (
        <Alert color="green" role="status" icon={<Check aria-hidden />} title={t('ready')}>
          <Text size="sm" mb="sm">
            {t('readyText')}
          </Text>
          <Button onClick={() => router.refresh()}>{t('readyGo')}</Button>
        </Alert>
      )}
      <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {steps.map((step, index) => (
          <StepCard key={step.name} step={step} number={index + 1} current={step.name === current} />
        ))}
      </Stack>
    </Stack>
  );
}

function StepCard({ step, number, current }: { step: Step; number: number; current: boolean }) {
  const t = useTranslations('owner');
  const { name, done, about, actions } = step;
  return (
    <Card component="li" withBorder padding="md" data-step={name} aria-current={current ? 'step' : undefined}>
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon
          variant={current ? 'filled' : 'light'}
          color={done ? 'green' : current ? undefined : 'gray'}
          radius="xl"
          size={36}
        >
          {done ? <Check aria-hidden size={20} /> : <span aria-hidden>{number}</span>}
        </ThemeIcon>
        <div style={{ minWidth: 0, flex: 1 }}>
          <Text fw={600}>
            {t(`step.${name}.title`)} {done && <VisuallyHidden>({t('done')})</VisuallyHidden>}
          </Text>
          <Text component="bdi" display="block" size="sm" c="dimmed">
            {about}
          </Text>
          {current && actions && (
            <Group gap="sm" mt="sm">
              {actions}
            </Group>
          )}
        </div>
      </Group>
    </Card>
  );
}
