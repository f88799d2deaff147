'use client';

import { Alert, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useRef } from 'react';
import { ConfirmedAction } from '#app/ui/sessions/confirmed-action.tsx';
import { prepareLinkAction, unlinkIdentityAction } from '#app/ui/sessions/identity-actions.ts';
import { type Provider, ProviderForm } from '#app/ui/sessions/provider-form.tsx';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';

/** Leads to a provider to connect an identity. Asks for the password before, where it is needed. */
export function ConnectProvider({ provider }: { provider: Provider }) {
  const t = useTranslations('identities');
  const form = useRef<HTMLFormElement>(null);
  const leave = () => form.current?.submit();
  const { run, pending, problems, dialog } = useReauthenticatedAction(prepareLinkAction, leave);
  return (
    <div style={{ maxWidth: 360 }}>
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      <ProviderForm
        form={form}
        provider={provider}
        purpose="link"
        text={t('connect', { provider: provider.label })}
        pending={pending}
        onSubmit={(event) => {
          event.preventDefault();
          void run(null);
        }}
      />
      {dialog}
    </div>
  );
}

export function DisconnectIdentity({ id, provider }: { id: number; provider: string }) {
  const t = useTranslations('identities');
  return (
    <ConfirmedAction
      action={unlinkIdentityAction}
      input={{ id }}
      sentences={{ gone: t('gone'), onlyWayIn: t('onlyWayIn') }}
      title={t('disconnectNamed', { provider })}
      submit={t('disconnect')}
      isDestructive
      label={t('disconnectNamed', { provider })}
    >
      <Text>{t('disconnectText', { provider })}</Text>
    </ConfirmedAction>
  );
}
