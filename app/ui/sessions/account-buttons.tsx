'use client';

import { Alert, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import type { Result } from '#app/ui/forms/fields.ts';
import { TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { DialogButton, FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { type Provider, ProviderForm } from '#app/ui/sessions/provider-form.tsx';
import { addPasskeyAction, prepareLinkAction, startPasskeyAction } from '#app/ui/sessions/session-actions.ts';

/** Makes a passkey: asks for its name, then the browser asks. With `onAdded` it is the page's main button. */
export function AddPasskey({ proposedName, onAdded }: { proposedName: string; onAdded?: () => void }) {
  const t = useTranslations('passkeys');
  const look = onAdded ? {} : { variant: 'default', style: { alignSelf: 'flex-start' } };
  return (
    <DialogButton icon={KeyRound} text={t('add')} {...look}>
      {(close) => (
        <FormDialog
          title={t('add')}
          submit={t('add')}
          action={addPasskey}
          sentences={{ already: t('already'), 'wrong-passkey': t('notAdded'), 'too-many': t('tooMany') }}
          onDone={() => {
            close();
            onAdded?.();
          }}
          onClose={close}
        >
          <Text>{t('addText')}</Text>
          <TextField name="name" label={t('name')} defaultValue={proposedName} />
        </FormDialog>
      )}
    </DialogButton>
  );
}

async function addPasskey({ name = '' }: Record<string, string>): Promise<Result<null>> {
  const started = await startPasskeyAction(null);
  if ('problems' in started) return started;
  if (!started.value) return { problems: { form: 'wrong-passkey' } };
  try {
    const { startRegistration } = await import('@simplewebauthn/browser');
    const answer = await startRegistration({ optionsJSON: started.value });
    return await addPasskeyAction({ name, answer: JSON.stringify(answer) });
  } catch (error) {
    return { problems: { form: (error as Error).name === 'InvalidStateError' ? 'already' : 'wrong-passkey' } };
  }
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
        ref={form}
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
