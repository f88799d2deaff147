'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { requestToJoinAction } from '#app/join/[token]/actions.ts';
import { PublicForm } from '#app/ui/forms/account-fields.tsx';
import { TextField } from '#app/ui/forms/form.tsx';

/** Asks for the name, and with `asksRole` for the job. Then the waiting page opens. */
export function JoinForm({ token, asksRole }: { token: string; asksRole: boolean }) {
  const t = useTranslations('join');
  const router = useRouter();
  return (
    <PublicForm
      action={(fields) => requestToJoinAction({ token, ...fields })}
      sentences={{ invalidLink: `${t('invalidTitle')}. ${t('invalidText')}`, tooManyWait: t('tooManyWait') }}
      submit={t('submit')}
      onDone={({ token: own }) => router.push(`/join/wait/${own}`)}
    >
      <TextField name="name" label={t('name')} autoComplete="name" maxLength={240} />
      {asksRole && (
        <TextField
          name="role"
          label={t('role')}
          placeholder={t('roleHint')}
          autoComplete="organization-title"
          maxLength={120}
        />
      )}
    </PublicForm>
  );
}
