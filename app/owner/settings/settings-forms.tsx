'use client';

import { Alert, Button, FileButton, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { ImageUp, Trash2 } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, use, useState } from 'react';
import { changeProviderRuleAction, changeRetentionAction, removeLogoAction } from '#app/owner/settings/actions.ts';
import type { Result } from '#app/ui/forms/fields.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { Company } from '#app/ui/frame/company.ts';
import { CompanyLogo } from '#app/ui/frame/company-logo.tsx';
import { shrinkLogo } from '#app/ui/pictures/shrink-picture.ts';
import { ActionDialog } from '#app/ui/sessions/form-dialog.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import type { Retention } from '#server/companies/companies.ts';

// The address is `logoPath` in server/companies/logo.ts.
async function sendLogo(file: File | null): Promise<Result<unknown>> {
  const png = file && (await shrinkLogo(file));
  if (!png) return { problems: { form: 'not-a-picture' } };
  const headers = { 'Content-Type': 'image/png' };
  const response = await fetch('/owner/settings/logo', { method: 'POST', headers, body: png });
  return (await response.json()) as Result<unknown>;
}

export function LogoForm() {
  const t = useTranslations('settings');
  const { company, logo } = use(Company);
  const router = useRouter();
  const [message, setMessage] = useState<'logoSaved' | 'logoRemoved'>();
  const sentences = { 'not-a-picture': t('logoProblem') };
  const done = (what: 'logoSaved' | 'logoRemoved') => () => {
    setMessage(what);
    router.refresh();
  };
  const upload = useAction(sendLogo, done('logoSaved'), sentences);
  const removal = useAction(removeLogoAction, done('logoRemoved'));
  const problem = upload.problems.form ?? removal.problems.form;
  const choose = (file: File | null) => {
    setMessage(undefined);
    removal.clear();
    if (file) void upload.run(file);
  };
  return (
    <Stack gap="xs" role="group" aria-labelledby="logo-title">
      <Text fw={500} size="sm" id="logo-title">
        {t('logo')}
      </Text>
      <Text className="fine-print">{t('logoHint')}</Text>
      <Group>
        {logo && <CompanyLogo logo={logo} size={44} name={t('logoOf', { company })} />}
        <FileButton onChange={choose} accept="image/png,image/jpeg,image/webp,image/svg+xml">
          {(props) => (
            <Button {...props} variant="default" leftSection={<ImageUp />} loading={upload.pending}>
              {t(logo ? 'logoReplace' : 'logoChoose')}
            </Button>
          )}
        </FileButton>
        {logo && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<Trash2 />}
            loading={removal.pending}
            onClick={() => {
              upload.clear();
              void removal.run(null);
            }}
          >
            {t('logoRemove')}
          </Button>
        )}
      </Group>
      <div role="status">
        {problem ? <Alert color="red">{problem}</Alert> : message && <Alert color="green">{t(message)}</Alert>}
      </div>
    </Stack>
  );
}

type RetentionProps = { retention: Retention; choices: { notifications: number[]; refusals: number[] } };

/** The form for how long data is kept. Asks before it deletes notifications. */
export function RetentionForm({ retention, choices }: RetentionProps) {
  const t = useTranslations('retention');
  const [asking, setAsking] = useState<{ count: number; days: number; answer: (agreed: boolean) => void }>();
  const save = async ({ notifications = '', refusals = '' }: Record<string, string>) => {
    const choice = { notifications, refusals };
    const result = await changeRetentionAction({ ...choice, agreed: false });
    if (!('problems' in result) || !result.problems.agree) return result;
    const count = Number(result.problems.agree);
    const agreed = await new Promise<boolean>((answer) => setAsking({ count, days: Number(notifications), answer }));
    setAsking(undefined);
    return agreed ? changeRetentionAction({ ...choice, agreed }) : { problems: {} };
  };
  const name = (days: number) => ({ value: String(days), label: t('days', { days }) });
  return (
    <>
      <SavedForm action={save} saved={t('saved')}>
        <NativeSelect
          name="notifications"
          label={t('notifications')}
          description={t('notificationsHint')}
          defaultValue={retention.keepNotificationsDays ?? ''}
          data={[{ value: '', label: t('forEver') }, ...choices.notifications.map(name)]}
        />
        <NativeSelect
          name="refusals"
          label={t('refusals')}
          defaultValue={retention.keepRefusalsDays}
          data={choices.refusals.map(name)}
        />
        <Text className="fine-print">{t('auditStays')}</Text>
      </SavedForm>
      {asking && (
        <ActionDialog
          title={t('agreeTitle')}
          submit={t('agree')}
          isDestructive
          action={async (agreed) => ({ value: agreed })}
          input={true}
          onDone={asking.answer}
          onClose={() => asking.answer(false)}
          text={t('agreeText', { count: asking.count, days: asking.days })}
        />
      )}
    </>
  );
}

type RuleProps = {
  issuer: string | null;
  fallback: number | undefined;
  issuers: { value: string; label: string }[];
  fallbacks: { value: string; label: string }[];
  /** By issuer, what becomes of the people. */
  people: Record<string, ReactNode>;
};

/** Chooses whether people sign in with one provider only, and whose password stays as the way back. */
export function ProviderRuleForm({ issuer, fallback, issuers, fallbacks, people }: RuleProps) {
  const t = useTranslations();
  const [chosen, setChosen] = useState(issuer ?? '');
  return (
    <Stack>
      <NativeSelect
        label={t('identities.rule')}
        value={chosen}
        onChange={(event) => setChosen(event.currentTarget.value)}
        data={[{ value: '', label: t('identities.anyMethod') }, ...issuers]}
      />
      {people[chosen]}
      <SavedForm
        action={({ fallbackAccountId = '' }) =>
          changeProviderRuleAction({ issuer: chosen, fallbackAccountId: Number(fallbackAccountId) })
        }
        sentences={{ 'not-linked': t('identities.notLinked'), 'no-such-owner': t('identities.noFallback') }}
        saved={t('settings.saved')}
        submit={t('identities.saveRule')}
      >
        {chosen !== '' && (
          <NativeSelect
            name="fallbackAccountId"
            label={t('identities.fallback')}
            description={t('identities.fallbackHint')}
            defaultValue={fallback}
            data={fallbacks}
          />
        )}
      </SavedForm>
    </Stack>
  );
}
