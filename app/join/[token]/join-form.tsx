'use client';

import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { requestToJoinAction } from '#app/join/[token]/actions.ts';
import { NeedsScripts } from '#app/ui/forms/account-fields.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';

/** Asks for the name, and with `asksRole` for the job. Then the waiting page opens. */
export function JoinForm({ token, asksRole }: { token: string; asksRole: boolean }) {
  const t = useTranslations('join');
  const router = useRouter();
  const isReady = useMounted();
  const open = ({ token: own }: { token: string }) => router.push(`/join/wait/${own}`);
  const { run, pending, problems } = useAction(requestToJoinAction, open, {
    invalidLink: `${t('invalidTitle')}. ${t('invalidText')}`,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run({ token, ...readForm(event.currentTarget) });
  };
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        <NeedsScripts />
        {problems.form && (
          <Alert color="red" role="alert">
            {problems.form}
          </Alert>
        )}
        <TextInput name="name" label={t('name')} error={problems.name} autoComplete="name" maxLength={240} required />
        {asksRole && (
          <TextInput
            name="role"
            label={t('role')}
            placeholder={t('roleHint')}
            error={problems.role}
            autoComplete="organization-title"
            maxLength={120}
            required
          />
        )}
        <Button type="submit" size="md" disabled={!isReady} loading={pending} fullWidth>
          {t('submit')}
        </Button>
      </Stack>
    </form>
  );
}
