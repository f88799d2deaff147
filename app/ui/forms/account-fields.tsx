import { Alert, Button } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useTranslations } from 'next-intl';
import type { ComponentProps } from 'react';
import type { Result } from '#app/ui/forms/fields.ts';
import { Form, TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

type PublicFormProps<Value> = Pick<ComponentProps<'form'>, 'ref' | 'children'> & {
  action: (fields: Record<string, string>) => Promise<Result<Value>>;
  sentences: Record<string, string>;
  submit: string;
  onDone: (value: Value) => void;
};

/** A form for people who are not signed in. Says that it does nothing while the browser runs no scripts. */
export function PublicForm<Value>({ ref, action, sentences, submit, onDone, children }: PublicFormProps<Value>) {
  const t = useTranslations('form');
  const isReady = useMounted();
  const { run, pending, problems } = useAction(action, onDone, sentences);
  return (
    <Form ref={ref} problems={problems} onSubmit={(fields) => void run(fields)} method="post">
      <noscript>
        <Alert color="yellow">{t('needsScripts')}</Alert>
      </noscript>
      {children}
      <Button type="submit" size="md" disabled={!isReady} loading={pending} fullWidth>
        {submit}
      </Button>
    </Form>
  );
}

export function NewUsernameField() {
  const t = useTranslations('setup');
  return (
    <TextField
      name="username"
      label={t('username')}
      description={t('usernameHint')}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
