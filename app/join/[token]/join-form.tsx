'use client';

import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { FormEvent } from 'react';
import { requestToJoinAction } from '#app/join/[token]/actions.ts';
import { NeedsScripts } from '#app/ui/forms/account-fields.tsx';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';
import { readStored, store } from '#app/ui/storage/local-storage.ts';
import { TextLink } from '#app/ui/text/text-link.tsx';

// The latest request of this browser: the token of its link, and its own.
const storageKey = 'join-request';

/** Asks for the name, and with `asksRole` for the job. Then the waiting page opens. */
export function JoinForm({ token, asksRole }: { token: string; asksRole: boolean }) {
  const t = useTranslations('join');
  const router = useRouter();
  const isReady = useMounted();
  const open = (own: string) => {
    store(storageKey, `${token} ${own}`);
    router.push(`/join/wait/${own}`);
  };
  const { run, pending, problems } = useAction(requestToJoinAction, ({ token: own }) => open(own), {
    invalidLink: `${t('invalidTitle')}. ${t('invalidText')}`,
  });
  const [askedWith, asked] = (isReady && readStored(storageKey)?.split(' ')) || [];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void run({ token, ...readForm(event.currentTarget) });
  };
  return (
    <form onSubmit={submit} method="post" noValidate>
      <Stack>
        <NeedsScripts />
        {askedWith === token && asked && (
          <Alert>
            {t('askedBefore')} <TextLink href={`/join/wait/${asked}`}>{t('seeAnswer')}</TextLink>
          </Alert>
        )}
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
