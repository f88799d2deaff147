'use client';

import { Alert, Button, NativeSelect } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { changeProviderRuleAction } from '#app/owner/settings/actions.ts';
import { Form } from '#app/ui/forms/form.tsx';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';

type Props = {
  issuer: string | null;
  fallback: number | undefined;
  issuers: { value: string; label: string }[];
  fallbacks: { value: string; label: string }[];
};

/** Chooses whether people sign in with one provider only, and whose password stays as the way back. */
export function ProviderRuleForm({ issuer, fallback, issuers, fallbacks }: Props) {
  const t = useTranslations('identities');
  const settings = useTranslations('settings');
  const router = useRouter();
  const [chosen, setChosen] = useState(issuer ?? '');
  const [saved, setSaved] = useState(false);
  const { run, pending, problems, dialog } = useReauthenticatedAction(
    changeProviderRuleAction,
    () => {
      setSaved(true);
      router.refresh();
    },
    { 'not-linked': t('notLinked'), 'no-such-owner': t('noFallback') },
  );
  const submit = ({ fallbackAccountId = '' }: Record<string, string>) => {
    setSaved(false);
    void run({ issuer: chosen, fallbackAccountId: Number(fallbackAccountId) });
  };
  return (
    <>
      <Form problems={problems} onSubmit={submit} method="post">
        <div role="status">{saved && <Alert color="green">{settings('saved')}</Alert>}</div>
        <NativeSelect
          name="issuer"
          label={t('rule')}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={[{ value: '', label: t('anyMethod') }, ...issuers]}
        />
        {chosen !== '' && (
          <NativeSelect
            name="fallbackAccountId"
            label={t('fallback')}
            description={t('fallbackHint')}
            defaultValue={fallback}
            data={fallbacks}
          />
        )}
        <div>
          <Button type="submit" loading={pending}>
            {t('saveRule')}
          </Button>
        </div>
      </Form>
      {dialog}
    </>
  );
}
