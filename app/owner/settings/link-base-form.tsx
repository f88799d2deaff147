'use client';

import { useTranslations } from 'next-intl';
import { changeLinkBaseAction } from '#app/owner/settings/actions.ts';
import { TextField } from '#app/ui/forms/form.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';

/** The form for the address of the company's own portal, to which links of messages lead. */
export function LinkBaseForm({ linkBase }: { linkBase: string | null }) {
  const t = useTranslations('settings');
  const problems = ['not-an-address', 'not-https', 'has-more'] as const;
  return (
    <SavedForm
      action={(fields) => changeLinkBaseAction({ linkBase: fields.linkBase ?? '' })}
      sentences={Object.fromEntries(problems.map((problem) => [problem, t(`linkBaseProblem.${problem}`)]))}
      saved={t('saved')}
    >
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
  );
}
