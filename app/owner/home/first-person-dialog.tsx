import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Check, Send } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { addFirstPersonAction, createInvitationAction } from '#app/owner/employees/actions.ts';
import { sendDraftAction } from '#app/owner/sends/actions.ts';
import { asDraftInput, emptyDraft, makeDraftId } from '#app/owner/sends/new/form-draft.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { Form, FormButtons, TextField } from '#app/ui/forms/form.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';
import type { FirstPerson } from '#server/companies/overview.ts';

type Props = { company: string; first: FirstPerson | null; hasSend: boolean; hasSeen: boolean; onClose: () => void };

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

type NameFormProps = { onInvited: (invited: { name: string; link: string }) => void; onClose: () => void };

function NameForm({ onInvited, onClose }: NameFormProps) {
  const t = useTranslations('firstSteps');
  const inviteFailed = useTranslations('employees')('inviteFailed');
  const { run, pending, problems, dialog } = useReauthenticatedAction(addFirstPersonAction, onInvited, {
    inviteFailed,
  });
  return (
    <>
      <Form problems={problems} onSubmit={({ name = '' }) => void run({ name })}>
        <TextField name="name" label={t('person.name')} description={t('person.nameHint')} data-autofocus />
        <FormButtons submit={t('person.submit')} pending={pending} onCancel={onClose} />
      </Form>
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

type InviteAgainProps = { first: FirstPerson; onInvited: (link: string) => void; onClose: () => void };

// The link of before is not stored. A new one ends it.
function InviteAgain({ first, onInvited, onClose }: InviteAgainProps) {
  const t = useTranslations('firstSteps');
  const form = useTranslations('form');
  const inviteFailed = useTranslations('employees')('inviteFailed');
  const follow = ({ link }: { link: string }) => onInvited(link);
  const { run, pending, problems, dialog } = useReauthenticatedAction(createInvitationAction, follow, { inviteFailed });
  return (
    <>
      <Form problems={problems} onSubmit={() => void run({ id: first.id })}>
        <Text>{t('inviteAgain', { name: first.name })}</Text>
        <FormButtons submit={form('makeLink')} pending={pending} onCancel={onClose} />
      </Form>
      {dialog}
    </>
  );
}

function Joined({ first, hasSend, hasSeen, onClose }: Omit<Props, 'company' | 'first'> & { first: FirstPerson }) {
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

/** The button that sends the first person a greeting. A press whose answer was lost is repeated, not sent twice. */
export function Greeting({ first: { id, name, isMe }, hasSend }: { first: FirstPerson; hasSend: boolean }) {
  const t = useTranslations('firstSteps.greeting');
  const [isSent, setIsSent] = useState(false);
  const draftId = useRef<string>(null);
  const follow = () => {
    setIsSent(true);
    draftId.current = null;
  };
  const { run, pending, problems } = useAction(sendDraftAction, follow, { gone: t('gone') });
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
      <Button
        size="md"
        variant={isSent ? 'default' : 'filled'}
        leftSection={<Send aria-hidden size={18} />}
        loading={pending}
        onClick={greet}
      >
        {isMe ? t('doMe') : t('do', { name })}
      </Button>
    </Stack>
  );
}

export function Waiting({ text }: { text: string }) {
  return (
    <Group gap="xs" role="status" wrap="nowrap">
      <Loader size="sm" aria-hidden />
      <Text size="sm">
        <bdi>{text}</bdi>
      </Text>
    </Group>
  );
}
