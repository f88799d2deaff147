'use client';

import { Alert, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { Result } from '#app/fields.ts';
import { PasswordField } from '#app/ui/account-fields.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FormButtons } from '#app/ui/form-buttons.tsx';
import { proveAgainAction } from '#app/ui/settings-actions.ts';
import { readForm, useAction } from '#app/ui/use-action.ts';

/**
 * As `useAction`, for actions that want a fresh proof of who is there (`provedOwnerAction`): when one is missing, `dialog` asks
 * for the password and then does what was asked. Render `dialog` somewhere outside of any form.
 */
export function useProvedAction<Input, Value>(
  action: (input: Input) => Promise<Result<Value>>,
  onDone: (value: Value) => void,
  sentences: Record<string, string> = {},
): ReturnType<typeof useAction<Input, Value>> & { dialog: ReactNode } {
  const [waiting, setWaiting] = useState<{ input: Input }>();
  const asking = async (input: Input) => {
    const result = await action(input);
    const missing = 'problems' in result && result.problems.form === 'prove-again';
    setWaiting(missing ? { input } : undefined);
    return missing ? { problems: {} } : result;
  };
  const state = useAction(asking, onDone, sentences);
  const dialog = waiting && (
    <ProveDialog onClose={() => setWaiting(undefined)} onProved={() => void state.run(waiting.input)} />
  );
  return { ...state, dialog };
}

function ProveDialog({ onClose, onProved }: { onClose: () => void; onProved: () => void }) {
  const t = useTranslations('prove');
  const settings = useTranslations('settings');
  const { run, pending, problems } = useAction(proveAgainAction, onProved, { wrong: settings('wrong') });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run({ password: readForm(event.currentTarget).password ?? '' });
  };
  const seconds = /^wait:(\d+)$/.exec(problems.form ?? '')?.[1];
  return (
    <Dialog onClose={onClose} title={t('title')} zIndex={300}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text>{t('text')}</Text>
          {problems.form && (
            <Alert color="red">
              {seconds ? settings('wait', { minutes: Math.ceil(Number(seconds) / 60) }) : problems.form}
            </Alert>
          )}
          <PasswordField name="password" label={settings('current')} error={problems.password} />
          <FormButtons submit={t('submit')} pending={pending} onCancel={onClose} />
        </Stack>
      </form>
    </Dialog>
  );
}
