'use client';

import '@mantine/core/styles/ThemeIcon.css';
import { Alert, Box, Button, Card, Group, Loader, Stack, Text, ThemeIcon, VisuallyHidden } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { Check, Send, UserPlus } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, use, useRef, useState } from 'react';
import { addFirstPersonAction, addMyselfAction } from '#app/owner/employees/actions.ts';
import { InviteDialog } from '#app/owner/employees/employee-dialogs.tsx';
import { sendMessageAction } from '#app/owner/sends/actions.ts';
import { asDraftInput, emptyDraft, makeDraftId } from '#app/owner/sends/new/form-draft.ts';
import { TextField } from '#app/ui/forms/form.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { Company } from '#app/ui/frame/company.ts';
import { FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';
import type { FirstPerson, Progress } from '#server/companies/overview.ts';

/** The way to a first notification that somebody saw. The next step has the one button that leads on. */
export function FirstSteps({ initial }: { initial: Progress }) {
  const t = useTranslations('firstSteps');
  const router = useRouter();
  const { hasSend, hasSeen, first } = useProgress(initial);
  const employees = useTranslations('employees');
  const { run, pending } = useAction(addMyselfAction);
  const [opened, setOpened] = useState<'person' | 'link'>();
  const close = () => setOpened(undefined);
  const name = first?.name ?? '';
  const isMissing = !first?.hasAccount;
  const done = hasSeen ? 3 : Number(first !== null) + Number(!isMissing);
  return (
    <Stack>
      {hasSeen && (
        // Only now it offers to connect a system with a key: people can notify each other without one.
        <Alert color="green" role="status" icon={<Check size={24} />} title={t('ready', { name })}>
          <Text size="sm" mb="sm">
            {t('readyText')}
          </Text>
          <Group gap="sm">
            <Button onClick={() => router.refresh()}>{t('readyGo')}</Button>
            <ButtonLink href="/owner/keys" variant="default" text={t('connect')} />
          </Group>
        </Alert>
      )}
      <Stack component="ol" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        <Step number={1} done={done} name="person" title={t('person.title')}>
          <Button size="md" leftSection={<UserPlus />} onClick={() => setOpened('person')}>
            {t('person.do')}
          </Button>
          <Button variant="default" title={employees('addMeHint')} loading={pending} onClick={() => void run(null)}>
            {employees('addMe')}
          </Button>
        </Step>
        <Step number={2} done={done} name="join" title={first ? t('join.titleNamed', { name }) : t('join.title')}>
          <Waiting text={t('join.waiting', { name })} />
          <Button variant="default" onClick={() => setOpened('link')}>
            {t('join.do')}
          </Button>
        </Step>
        <Step number={3} done={done} name="greeting" title={t('greeting.title')}>
          {first && <Greeting first={first} hasSend={hasSend} />}
        </Step>
      </Stack>
      {opened === 'person' && isMissing && <FirstPersonDialog onClose={close} />}
      {opened === 'link' && first && isMissing && (
        <InviteDialog employee={{ id: first.id, name, username: null, invitedUntil: new Date() }} onClose={close} />
      )}
    </Stack>
  );
}

type StepProps = {
  number: number;
  done: number;
  name: 'person' | 'join' | 'greeting';
  title: string;
  children: ReactNode;
};

// One step. `done` is how many steps are done.
function Step({ number, done, name, title, children }: StepProps) {
  const t = useTranslations();
  const isDone = number <= done;
  const isCurrent = number === done + 1;
  const color = isCurrent ? undefined : 'gray';
  return (
    <Card component="li" withBorder padding="md" data-step={name} aria-current={isCurrent ? 'step' : undefined}>
      <Group wrap="nowrap" align="flex-start">
        <ThemeIcon variant={isCurrent ? 'filled' : 'light'} color={isDone ? 'green' : color} radius="xl" size={36}>
          {isDone ? <Check size={20} /> : <span aria-hidden>{number}</span>}
        </ThemeIcon>
        <Box flex={1} miw={0}>
          <Text fw={600} className="wrapping">
            <bdi>{title}</bdi> {isDone && <VisuallyHidden>({t('firstSteps.done')})</VisuallyHidden>}
          </Text>
          <Text component="bdi" display="block" size="sm" c="dimmed">
            {t(`firstSteps.${name}.text`)}
          </Text>
          {isCurrent && (
            <Group gap="sm" mt="sm">
              {children}
            </Group>
          )}
        </Box>
      </Group>
    </Card>
  );
}

/** Polls the progress every 2 s while the page is visible. The first person stays known after the last step. */
function useProgress(initial: Progress): Progress {
  const [progress, setProgress] = useState(initial);
  const poll = async () => {
    const response = await fetch('/owner/progress', { cache: 'no-store' }).catch(() => null);
    if (!response?.ok) return;
    const answer = (await response.json()) as Progress;
    setProgress((before) => ({ ...answer, first: answer.first ?? before.first }));
  };
  useInterval(() => void (progress.hasSeen || document.hidden || poll()), 2000, { autoInvoke: true });
  return progress;
}

function FirstPersonDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('firstSteps');
  const { company } = use(Company);
  const employees = useTranslations('employees');
  return (
    <FormDialog
      action={({ name = '' }) => addFirstPersonAction({ name })}
      title={(invited) => <bdi>{invited ? t('dialogTitle', { name: invited.name }) : t('person.do')}</bdi>}
      submit={t('person.submit')}
      sentences={{ inviteFailed: employees('inviteFailed') }}
      onClose={onClose}
      result={({ name, link }) => (
        <>
          <Text>{t('invited', { name })}</Text>
          <LinkToHandOver
            label={employees('inviteLink')}
            link={link}
            message={employees('inviteMessage', { name, link, company })}
            qrLabel={t('qr', { name })}
            onClose={onClose}
          />
          <Waiting text={t('join.waiting', { name })} />
        </>
      )}
    >
      <TextField name="name" label={t('person.name')} description={t('person.nameHint')} data-autofocus />
    </FormDialog>
  );
}

/** Sends the first person a greeting. A press whose answer was lost is repeated, not sent twice. */
function Greeting({ first: { id, name, isMe }, hasSend }: { first: FirstPerson; hasSend: boolean }) {
  const t = useTranslations('firstSteps.greeting');
  const [isSent, setIsSent] = useState(false);
  const draftId = useRef<string>(null);
  const variant = hasSend ? 'default' : 'filled';
  const { run, pending, problems } = useAction(sendMessageAction, () => setIsSent(true), { gone: t('gone') });
  const problem = problems.form ?? Object.values(problems)[0];
  const greet = () => {
    draftId.current ??= makeDraftId();
    const text = { title: t('heading', { name: name.slice(0, 60) }), body: t('body') };
    void run({ ...asDraftInput({ ...emptyDraft, ...text, to: 'one' }, draftId.current), recipientId: id });
  };
  return (
    <Stack gap="xs" align="flex-start">
      {problem && <Alert color="red">{problem}</Alert>}
      {(hasSend || isSent) && <Waiting text={t('sent', { name })} />}
      {!isSent && (
        <Button size="md" variant={variant} leftSection={<Send />} loading={pending} onClick={greet}>
          {isMe ? t('doMe') : t('do', { name })}
        </Button>
      )}
    </Stack>
  );
}

function Waiting({ text }: { text: string }) {
  return (
    <Group gap="xs" role="status" wrap="nowrap">
      <Loader size="sm" aria-hidden />
      <Text size="sm">
        <bdi>{text}</bdi>
      </Text>
    </Group>
  );
}
