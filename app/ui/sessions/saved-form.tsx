'use client';

import { Alert, Button } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, type Ref, useState } from 'react';
import type { Result } from '#app/ui/forms/fields.ts';
import { Form } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

type Action = (fields: Record<string, string>) => Promise<Result<unknown>>;

type Props = {
  /** Takes the fields of the form by their names, each as a text. */
  action: (fields: never) => Promise<Result<unknown>>;
  sentences?: Record<string, string>;
  saved?: string;
  submit?: string;
  /** Whether its button is a quiet one, because something else on the page matters more. */
  isMinor?: boolean;
  ref?: Ref<HTMLFormElement>;
  onSaved?: () => void;
  children?: ReactNode;
};

/** A form of settings with a button to save. `saved` is what it says after that, where the page does not show it. */
export function SavedForm({ action, sentences, saved, submit, isMinor, ref, onSaved, children }: Props) {
  const t = useTranslations('form');
  const router = useRouter();
  const isReady = useMounted();
  const [isSaved, setIsSaved] = useState(false);
  const follow = () => {
    setIsSaved(true);
    onSaved?.();
    router.refresh();
  };
  const { run, pending, problems } = useAction(action as Action, follow, sentences);
  const save = (fields: Record<string, string>) => {
    setIsSaved(false);
    void run(fields);
  };
  return (
    <Form ref={ref} problems={problems} onSubmit={save} method="post">
      {children}
      <Button
        type="submit"
        variant={isMinor ? 'default' : 'filled'}
        disabled={!isReady}
        loading={pending}
        style={{ alignSelf: 'flex-start' }}
      >
        {submit ?? t('save')}
      </Button>
      <div role="status">{isSaved && saved && <Alert color="green">{saved}</Alert>}</div>
    </Form>
  );
}
