'use client';

import { Alert, Button, Fieldset, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { checkCompanyAction, setupAction } from '#app/setup/actions.ts';
import { NeedsScripts, NewUsernameField, PasswordField } from '#app/ui/forms/account-fields.tsx';
import { type Problems, readForm, useAction } from '#app/ui/forms/use-action.ts';
import { useZoneOptions } from '#app/ui/forms/zone-options.ts';

const companyFields = ['code', 'companyName', 'timeZone'];

/** The first two steps: the company, then the owner's account. Going back keeps the input. */
export function SetupForm({ askCode, zones }: { askCode: boolean; zones: string[] }) {
  const t = useTranslations('setup');
  const router = useRouter();
  const form = useRef<HTMLFormElement>(null);
  const isReady = useMounted();
  const [step, setStep] = useState(1);
  const sentences = { codeWrong: t('codeWrong'), duplicateUsername: t('duplicateUsername'), done: t('done') };
  const checking = useAction(checkCompanyAction, () => setStep(2), sentences);
  const creating = useAction(setupAction, () => router.push('/owner'), sentences);
  const problems: Problems = { ...checking.problems, ...creating.problems };

  // The code or the company may be refused only at the second step: the first company exists by
  // then.
  useEffect(() => {
    if (companyFields.some((name) => creating.problems[name])) setStep(1);
  }, [creating.problems]);
  // In a layout effect, before the step is painted, so that early keystrokes go to the right field.
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>(`[data-setup-step="${step}"] input`)?.focus();
  }, [step]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const input = readForm(event.currentTarget);
    creating.clear();
    void (step === 1 ? checking.run(input) : creating.run(input));
  };
  return (
    <form ref={form} onSubmit={submit} method="post" noValidate>
      <Stack>
        <NeedsScripts />
        <Text size="sm" c="dimmed" role="status">
          {t('lead', { step })}
        </Text>
        {problems.form && (
          <Alert color="red" role="alert">
            {problems.form}
          </Alert>
        )}
        <div data-setup-step="1" hidden={step !== 1}>
          <CompanyFields problems={problems} askCode={askCode} zones={zones} />
        </div>
        <div data-setup-step="2" hidden={step !== 2}>
          <OwnerFields problems={problems} />
        </div>
        <Group grow>
          {step === 2 && (
            <Button variant="default" size="md" onClick={() => setStep(1)}>
              {t('back')}
            </Button>
          )}
          <Button type="submit" size="md" disabled={!isReady} loading={checking.pending || creating.pending}>
            {step === 1 ? t('next') : t('submit')}
          </Button>
        </Group>
        <Text size="sm" c="dimmed">
          {t('leadNext')}
        </Text>
      </Stack>
    </form>
  );
}

function CompanyFields({ problems, askCode, zones }: { problems: Problems; askCode: boolean; zones: string[] }) {
  const t = useTranslations('setup');
  const zoneOptions = useZoneOptions(zones);
  return (
    <Stack>
      {askCode && (
        <TextInput
          name="code"
          label={t('code')}
          description={t('codeHint')}
          error={problems.code}
          autoComplete="off"
          required
        />
      )}
      <Fieldset legend={t('company')}>
        <Stack>
          <TextInput
            name="companyName"
            label={t('companyName')}
            error={problems.companyName}
            autoComplete="organization"
            required
          />
          <NativeSelect
            name="timeZone"
            label={t('timeZone')}
            error={problems.timeZone}
            defaultValue="Asia/Jakarta"
            data={zoneOptions}
          />
        </Stack>
      </Fieldset>
    </Stack>
  );
}

function OwnerFields({ problems }: { problems: Problems }) {
  const t = useTranslations('setup');
  return (
    <Fieldset legend={t('owner')}>
      <Stack>
        <TextInput name="ownerName" label={t('ownerName')} error={problems.ownerName} autoComplete="name" required />
        <NewUsernameField error={problems.username} />
        <PasswordField name="password" label={t('password')} error={problems.password} isNew />
      </Stack>
    </Fieldset>
  );
}
