'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { changeLinkBaseAction } from '#app/owner/settings/actions.ts';
import { SavedForm } from '#app/owner/settings/company-forms.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';

/** The form for the address of the company's own portal, to which links of notifications lead. */
export function LinkBaseForm({ linkBase }: { linkBase: string | null }) {
  const t = useTranslations('settings');
  const router = useRouter();
  const [saved, setSaved] = useState(false);
  const problemTexts = {
    'not-an-address': t('linkBaseProblem.not-an-address'),
    'not-https': t('linkBaseProblem.not-https'),
    'has-more': t('linkBaseProblem.has-more'),
  };
  const change = useReauthenticatedAction(
    changeLinkBaseAction,
    () => {
      setSaved(true);
      router.refresh();
    },
    problemTexts,
  );
  const submit = (fields: Record<string, string>) => {
    setSaved(false);
    void change.run({ linkBase: fields.linkBase ?? '' });
  };
  return (
    <>
      <SavedForm problems={change.problems} onSubmit={submit} pending={change.pending} saved={saved && t('saved')}>
        <TextField
          name="linkBase"
          label={t('linkBase')}
          description={t('linkBaseHint')}
          placeholder="https://hr.example.com"
          defaultValue={linkBase ?? ''}
          required={false}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
        />
      </SavedForm>
      {change.dialog}
    </>
  );
}
