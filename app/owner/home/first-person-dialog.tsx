'use client';

import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { Check } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useState } from 'react';
import { addFirstPersonAction, createInvitationAction } from '#app/owner/employees/actions.ts';
import { Greeting, Waiting } from '#app/owner/home/greeting.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { FormButtons } from '#app/ui/forms/form-buttons.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { readForm } from '#app/ui/forms/use-action.ts';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';
import type { FirstPerson } from '#server/companies/overview.ts';

type Props = {
  company: string;
  first: FirstPerson | null;
  hasSend: boolean;
  hasSeen: boolean;
  onClose: () => void;
};

/**
 * The dialog from a name to a first ring: it adds the person, shows the link with its QR code,
 * waits until the person has an account, and then sends a greeting. It follows by itself.
 */
export function FirstPersonDialog({ company, first, hasSend, hasSeen, onClose }: Props) {
  const t = useTranslations('firstSteps');
  const router = useRouter();
  const [invited, setInvited] = useState<{ name: string; link: string }>();
  const finish = () => {
    onClose();
    router.refresh();
  };
  const name = invited?.name ?? first?.name ?? '';
  return (
    <Dialog
      onClose={finish}
      title={<bdi>{name === '' ? t('person.do') : t('dialogTitle', { name })}</bdi>}
      size="lg"
      closeOnClickOutside={false}
    >
      {first?.hasAccount ? (
        <Joined first={first} hasSend={hasSend} hasSeen={hasSeen} onClose={finish} />
      ) : invited ? (
        <Invited {...invited} company={company} onClose={finish} />
      ) : first ? (
        <InviteAgain first={first} onInvited={(link) => setInvited({ name: first.name, link })} onClose={onClose} />
      ) : (
        <NameForm onInvited={setInvited} onClose={onClose} />
      )}
    </Dialog>
  );
}

function NameForm({
  onInvited,
  onClose,
}: {
  onInvited: (invited: { name: string; link: string }) => void;
  onClose: () => void;
}) {
  const t = useTranslations('firstSteps');
  const employees = useTranslations('employees');
  const { run, pending, problems, dialog } = useReauthenticatedAction(addFirstPersonAction, onInvited, {
    inviteFailed: employees('inviteFailed'),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run({ name: readForm(event.currentTarget).name ?? '' });
  };
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Stack>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <TextInput
            name="name"
            label={t('person.name')}
            description={t('person.nameHint')}
            error={problems.name}
            autoComplete="off"
            data-autofocus
            required
          />
          <FormButtons submit={t('person.submit')} pending={pending} onCancel={onClose} />
        </Stack>
      </form>
      {dialog}
    </>
  );
}

type InvitedProps = { name: string; link: string; company: string; onClose: () => void };

function Invited({ name, link, company, onClose }: InvitedProps) {
  const t = useTranslations('firstSteps');
  const employees = useTranslations('employees');
  return (
    <Stack>
      <Text>{t('invited', { name })}</Text>
      <LinkToHandOver
        label={employees('inviteLink')}
        link={link}
        message={employees('inviteMessage', { name, company, link })}
        qrLabel={t('qr', { name })}
        onClose={onClose}
      />
      <Waiting text={t('join.waiting', { name })} />
    </Stack>
  );
}

// The link of before is not stored. A new one ends it.
function InviteAgain({
  first,
  onInvited,
  onClose,
}: {
  first: FirstPerson;
  onInvited: (link: string) => void;
  onClose: () => void;
}) {
  const t = useTranslations('firstSteps');
  const employees = useTranslations('employees');
  const form = useTranslations('form');
  const { run, pending, problems, dialog } = useReauthenticatedAction(
    createInvitationAction,
    ({ link }) => onInvited(link),
    {
      inviteFailed: employees('inviteFailed'),
    },
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run({ id: first.id });
  };
  return (
    <>
      <form onSubmit={submit}>
        <Stack>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <Text>{t('inviteAgain', { name: first.name })}</Text>
          <FormButtons submit={form('makeLink')} pending={pending} onCancel={onClose} />
        </Stack>
      </form>
      {dialog}
    </>
  );
}

type JoinedProps = { first: FirstPerson; hasSend: boolean; hasSeen: boolean; onClose: () => void };

function Joined({ first, hasSend, hasSeen, onClose }: JoinedProps) {
  const t = useTranslations('firstSteps');
  const { name } = first;
  if (!hasSeen)
    return (
      <Stack>
        <Text role="status">{t('joined', { name })}</Text>
        <Greeting first={first} hasSend={hasSend} />
      </Stack>
    );
  return (
    <Stack>
      <Alert color="green" role="status" icon={<Check aria-hidden />} title={t('ready', { name })}>
        {t('readyText')}
      </Alert>
      <Button onClick={onClose}>{t('readyGo')}</Button>
    </Stack>
  );
}
