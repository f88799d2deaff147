'use client';

import { Alert, Button, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { Dialog, useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { Form, FormButtons, TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { type Provider, ProviderForm } from '#app/ui/sessions/provider-form.tsx';
import { addPasskeyAction, prepareLinkAction, startPasskeyAction } from '#app/ui/sessions/session-actions.ts';

type Props = { proposedName: string; onAdded?: () => void };

/**
 * The button that makes a passkey: asks for its name, then the browser asks the person. With `onAdded`
 * it is what the page is for.
 */
export function AddPasskey(props: Props) {
  const t = useTranslations('passkeys');
  const [opened, open, close] = useOpenDialog<true>();
  return (
    <>
      <Button
        variant={props.onAdded ? 'filled' : 'default'}
        leftSection={<KeyRound aria-hidden size={18} />}
        onClick={() => open(true)}
        style={props.onAdded ? undefined : { alignSelf: 'flex-start' }}
      >
        {t('add')}
      </Button>
      {opened && <AddDialog {...props} onClose={close} />}
    </>
  );
}

function AddDialog({ proposedName, onAdded, onClose }: Props & { onClose: () => void }) {
  const t = useTranslations('passkeys');
  const [name, setName] = useState(proposedName);
  const [problem, setProblem] = useState<string>();
  const done = () => {
    onClose();
    onAdded?.();
  };
  const adding = useAction(addPasskeyAction, done, {
    'wrong-passkey': t('notAdded'),
    'too-many': t('tooMany'),
  });
  const starting = useAction(startPasskeyAction, (optionsJSON) => {
    if (!optionsJSON) return setProblem(t('notAdded'));
    void import('@simplewebauthn/browser')
      .then(({ startRegistration }) => startRegistration({ optionsJSON }))
      .then(
        (answer) => adding.run({ name, answer: JSON.stringify(answer) }),
        (error: Error) => setProblem(t(error.name === 'InvalidStateError' ? 'already' : 'notAdded')),
      );
  });
  const problems = { ...starting.problems, ...(problem && { form: problem }), ...adding.problems };
  return (
    <Dialog onClose={onClose} title={t('add')}>
      <Form
        problems={problems}
        onSubmit={() => {
          setProblem(undefined);
          void starting.run(null);
        }}
      >
        <Text>{t('addText')}</Text>
        <TextField name="name" label={t('name')} value={name} onChange={(event) => setName(event.target.value)} />
        <FormButtons submit={t('add')} pending={starting.pending || adding.pending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Leads to a provider to connect an identity. Asks for the password before, where it is needed. */
export function ConnectProvider({ provider, text }: { provider: Provider; text: string }) {
  const form = useRef<HTMLFormElement>(null);
  const leave = () => form.current?.submit();
  const { run, pending, problems } = useAction(prepareLinkAction, leave);
  return (
    <div style={{ maxWidth: 360 }}>
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      <ProviderForm
        form={form}
        provider={provider}
        purpose="link"
        text={text}
        pending={pending}
        onSubmit={(event) => {
          event.preventDefault();
          void run(null);
        }}
      />
    </div>
  );
}
