'use client';

import { Alert, Button, Card, Group, Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { Check, UserPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { addMyselfAction } from '#app/owner/employees/actions.ts';
import { InviteDialog } from '#app/owner/employees/invite-dialog.tsx';
import { FirstPersonDialog, Greeting, Waiting } from '#app/owner/home/first-person-dialog.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ButtonLink } from '#app/ui/text/links.tsx';
import type { Progress } from '#server/companies/overview.ts';

type Step = { name: 'person' | 'join' | 'greeting'; done: boolean; title: string; about: string; actions: ReactNode };

/**
 * The way from an empty company to a first notification that somebody saw: a person, their account,
 * a greeting. The next step has the one button that leads on.
 */
export function FirstSteps({ initial, company }: { initial: Progress; company: string }) {
  const t = useTranslations('firstSteps');
  const { hasSend, hasSeen, first } = useProgress(initial);
  const [opened, setOpened] = useState<'person' | 'link'>();
  const close = () => setOpened(undefined);
  const name = first?.name ?? '';
  const steps: Step[] = [
    {
      name: 'person',
      done: hasSeen || first !== null,
      title: t('person.title'),
      about: t('person.text'),
      actions: (
        <>
          <Button size="md" leftSection={<UserPlus />} onClick={() => setOpened('person')}>
            {t('person.do')}
          </Button>
          <AddMe />
        </>
      ),
    },
    {
      name: 'join',
      done: hasSeen || (first?.hasAccount ?? false),
      title: first ? t('join.titleNamed', { name }) : t('join.title'),
      about: t('join.text'),
      actions: (
        <>
          <Waiting text={t('join.waiting', { name })} />
          <Button variant="default" onClick={() => setOpened('link')}>
            {t('join.do')}
          </Button>
        </>
      ),
    },
    {
      name: 'greeting',
      done: hasSeen,
      title: t('greeting.title'),
      about: t('greeting.text'),
      actions: first && <Greeting first={first} hasSend={hasSend} />,
    },
  ];
  const current = steps.find(({ done }) => !done)?.name;
  return (
    <Stack>
      {hasSeen && <Ready name={name} />}
      <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {steps.map((step, index) => (
          <StepCard key={step.name} step={step} number={index + 1} current={step.name === current} />
        ))}
      </Stack>
      {opened === 'person' && !first?.hasAccount && <FirstPersonDialog company={company} onClose={close} />}
      {opened === 'link' && first && !first.hasAccount && (
        <InviteDialog
          employee={{ id: first.id, name, username: null, invitedUntil: new Date() }}
          company={company}
          onClose={close}
        />
      )}
    </Stack>
  );
}

// A system with a key is offered only now: people hear each other without one.
function Ready({ name }: { name: string }) {
  const t = useTranslations('firstSteps');
  const router = useRouter();
  return (
    <Alert color="green" role="status" icon={<Check size={24} />} title={t('ready', { name })}>
      <Text size="sm" mb="sm">
        {t('readyText')}
      </Text>
      <Group gap="sm">
        <Button onClick={() => router.refresh()}>{t('readyGo')}</Button>
        <ButtonLink href="/owner/keys" variant="default">
          {t('connect')}
        </ButtonLink>
      </Group>
    </Alert>
  );
}

function StepCard({ step, number, current }: { step: Step; number: number; current: boolean }) {
  const t = useTranslations('owner');
  const { name, done, title, about, actions } = step;
  const color = done ? 'green' : current ? undefined : 'gray';
  return (
    <Card component="li" withBorder padding="md" data-step={name} aria-current={current ? 'step' : undefined}>
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon variant={current ? 'filled' : 'light'} color={color} radius="xl" size={36}>
          {done ? <Check size={20} /> : <span aria-hidden>{number}</span>}
        </ThemeIcon>
        <div style={{ minWidth: 0, flex: 1 }}>
          <Text fw={600} className="wrapping">
            <bdi>{title}</bdi> {done && <VisuallyHidden>({t('done')})</VisuallyHidden>}
          </Text>
          <Text component="bdi" display="block" size="sm" c="dimmed">
            {about}
          </Text>
          {current && (
            <Group gap="sm" mt="sm">
              {actions}
            </Group>
          )}
        </div>
      </Group>
    </Card>
  );
}

const pollIntervalMs = 2000;

/**
 * Polls the progress of the first steps every 2 s while the page is visible. The first person stays
 * known after the last step.
 */
function useProgress(initial: Progress): Progress {
  const [progress, setProgress] = useState(initial);
  const poll = async () => {
    const response = await fetch('/owner/progress', { cache: 'no-store' }).catch(() => null);
    if (!response?.ok) return;
    const answer = (await response.json()) as Progress;
    setProgress((before) => ({ ...answer, first: answer.first ?? before.first }));
  };
  useInterval(() => void (progress.hasSeen || document.hidden || poll()), pollIntervalMs, { autoInvoke: true });
  return progress;
}

function AddMe() {
  const t = useTranslations('employees');
  const { run, pending } = useAction(addMyselfAction);
  return (
    <Button variant="default" title={t('addMeHint')} loading={pending} onClick={() => void run(null)}>
      {t('addMe')}
    </Button>
  );
}
