'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { requestToJoinAction } from '#app/join/[token]/actions.ts';
import { PublicForm } from '#app/ui/forms/account-fields.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

/** Asks for the name, and with `asksRole` for the job. Then the waiting page opens. */
export function JoinForm({ token, asksRole }: { token: string; asksRole: boolean }) {
  const t = useTranslations('join');
  const router = useRouter();
  const open = ({ token: own }: { token: string }) => router.push(`/join/wait/${own}`);
  const { run, pending, problems } = useAction(requestToJoinAction, open, {
    invalidLink: `${t('invalidTitle')}. ${t('invalidText')}`,
    tooManyWait: t('tooManyWait'),
  });
  return (
    <PublicForm
      problems={problems}
      onSubmit={(fields) => void run({ token, ...fields })}
      pending={pending}
      submit={t('submit')}
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
