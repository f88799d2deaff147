import { Alert, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Send } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { addFirstPersonAction } from '#app/owner/employees/actions.ts';
import { sendMessageAction } from '#app/owner/sends/actions.ts';
import { asDraftInput, emptyDraft, makeDraftId } from '#app/owner/sends/new/form-draft.ts';
import { TextField } from '#app/ui/forms/form.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import type { FirstPerson } from '#server/companies/overview.ts';

type Props = { company: string; onClose: () => void };

/** The dialog that adds the first person, and shows the link of the invitation with its QR code. */
export function FirstPersonDialog({ company, onClose }: Props) {
  const t = useTranslations('firstSteps');
  const employees = useTranslations('employees');
  const [invited, setInvited] = useState<{ name: string; link: string }>();
  return (
    <FormDialog
      title={<bdi>{invited ? t('dialogTitle', { name: invited.name }) : t('person.do')}</bdi>}
      submit={t('person.submit')}
      action={({ name = '' }) => addFirstPersonAction({ name })}
      sentences={{ inviteFailed: employees('inviteFailed') }}
      onDone={setInvited}
      onClose={onClose}
      result={
        invited && (
          <>
            <Text>{t('invited', { name: invited.name })}</Text>
            <LinkToHandOver
              label={employees('inviteLink')}
              link={invited.link}
              message={employees('inviteMessage', { ...invited, company })}
              qrLabel={t('qr', { name: invited.name })}
              onClose={onClose}
            />
            <Waiting text={t('join.waiting', { name: invited.name })} />
          </>
        )
      }
    >
      <TextField name="name" label={t('person.name')} description={t('person.nameHint')} data-autofocus />
    </FormDialog>
  );
}

/**
 * The button that sends the first person a greeting, and goes then. A press whose answer was lost is
 * repeated, not sent twice.
 */
export function Greeting({ first: { id, name, isMe }, hasSend }: { first: FirstPerson; hasSend: boolean }) {
  const t = useTranslations('firstSteps.greeting');
  const [isSent, setIsSent] = useState(false);
  const draftId = useRef<string>(null);
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
        <Button
          size="md"
          variant={hasSend ? 'default' : 'filled'}
          leftSection={<Send />}
          loading={pending}
          onClick={greet}
        >
          {isMe ? t('doMe') : t('do', { name })}
        </Button>
      )}
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
