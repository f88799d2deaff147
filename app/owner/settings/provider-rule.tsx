'use client';

import { NativeSelect } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { changeProviderRuleAction } from '#app/owner/settings/actions.ts';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';

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
  const [chosen, setChosen] = useState(issuer ?? '');
  return (
    <SavedForm
      action={({ fallbackAccountId = '' }) =>
        changeProviderRuleAction({ issuer: chosen, fallbackAccountId: Number(fallbackAccountId) })
      }
      sentences={{ 'not-linked': t('notLinked'), 'no-such-owner': t('noFallback') }}
      saved={settings('saved')}
      submit={t('saveRule')}
    >
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
    </SavedForm>
  );
}
