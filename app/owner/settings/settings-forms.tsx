'use client';

import { NativeSelect, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import {
  changeCompanyAction,
  changeEmbedOriginsAction,
  changeIdleLimitsAction,
  changeLinkBaseAction,
  changeProviderRuleAction,
  changeRetentionAction,
  renameAccountAction,
} from '#app/owner/settings/actions.ts';
import { CopyField } from '#app/ui/forms/copy-field.tsx';
import { LongTextField, TextField } from '#app/ui/forms/form.tsx';
import { useZoneOptions } from '#app/ui/forms/zone-options.ts';
import { ConfirmDialog } from '#app/ui/sessions/confirmed-action.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import type { IdleLimits } from '#server/accounts/sessions/idle.ts';
import type { Retention } from '#server/companies/retention.ts';

type CompanyProps = { companyName: string; timeZone: string; zones: string[] };

export function CompanyForm({ companyName, timeZone, zones }: CompanyProps) {
  const t = useTranslations('settings');
  const setup = useTranslations('setup');
  const options = useZoneOptions(zones);
  return (
    <SavedForm
      action={({ companyName = '', timeZone = '' }) => changeCompanyAction({ companyName, timeZone })}
      saved={t('saved')}
    >
      <TextField
        name="companyName"
        label={setup('companyName')}
        defaultValue={companyName}
        autoComplete="organization"
      />
      <NativeSelect
        name="timeZone"
        label={setup('timeZone')}
        description={t('zoneHint')}
        defaultValue={timeZone}
        data={options}
      />
    </SavedForm>
  );
}

/** The form for the name of the signed-in owner or manager. */
export function AccountName({ name }: { name: string }) {
  const t = useTranslations('settings');
  return (
    <SavedForm action={({ name = '' }) => renameAccountAction({ name })} saved={t('saved')}>
      <TextField
        name="name"
        label={t('name')}
        description={t('ownerNameHint')}
        defaultValue={name}
        autoComplete="name"
      />
    </SavedForm>
  );
}

type RetentionProps = { kept: Retention; choices: { notifications: number[]; refusals: number[] } };

/** The form for how long data is kept. Asks before it deletes notifications. */
export function RetentionForm({ kept, choices }: RetentionProps) {
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
          defaultValue={kept.keepNotificationsDays ?? ''}
          data={[{ value: '', label: t('forEver') }, ...choices.notifications.map(name)]}
        />
        <NativeSelect
          name="refusals"
          label={t('refusals')}
          defaultValue={kept.keepRefusalsDays}
          data={choices.refusals.map(name)}
        />
        <Text className="fine-print">{t('auditStays')}</Text>
      </SavedForm>
      {asking && (
        <ConfirmDialog
          title={t('agreeTitle')}
          submit={t('agree')}
          isDestructive
          pending={false}
          onClose={() => asking.answer(false)}
          onConfirm={() => asking.answer(true)}
        >
          <Text>{t('agreeText', { count: asking.count, days: asking.days })}</Text>
        </ConfirmDialog>
      )}
    </>
  );
}

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

/** The form for the pages that may show the bell, with the line that these pages need. */
export function EmbedForm({ origins, baseUrl }: { origins: string[]; baseUrl: string }) {
  const t = useTranslations('settings');
  const problems = ['not-an-origin', 'too-many'] as const;
  return (
    <>
      <SavedForm
        action={(fields) => changeEmbedOriginsAction({ embedOrigins: fields.embedOrigins ?? '' })}
        sentences={Object.fromEntries(problems.map((problem) => [problem, t(`embedProblem.${problem}`)]))}
        saved={t('saved')}
      >
        <LongTextField
          name="embedOrigins"
          label={t('embedOrigins')}
          description={t('embedOriginsHint')}
          placeholder="https://hr.example.com"
          defaultValue={origins.join('\n')}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
        />
      </SavedForm>
      {origins.length > 0 && (
        <CopyField
          label={t('embedSnippet')}
          value={`<script src="${baseUrl}/embed.js" async></script><staff-notifications></staff-notifications>`}
          copyLabel={t('embedCopy')}
        />
      )}
    </>
  );
}

type IdleProps = { limits: IdleLimits; choices: { managers: number[]; employees: number[] } };

/** The form for when sessions without activity end. */
export function IdleForm({ limits, choices }: IdleProps) {
  const t = useTranslations('sessions.idle');
  const of = (minutes: number[]) => [
    { value: '', label: t('never') },
    ...minutes.map((each) => ({ value: String(each), label: t('after', { minutes: each }) })),
  ];
  return (
    <SavedForm
      action={({ managers = '', employees = '' }) => changeIdleLimitsAction({ managers, employees })}
      saved={t('saved')}
    >
      <NativeSelect
        name="managers"
        label={t('managers')}
        description={t('managersHint')}
        defaultValue={limits.managersIdleMinutes ?? ''}
        data={of(choices.managers)}
      />
      <NativeSelect
        name="employees"
        label={t('employees')}
        description={t('employeesHint')}
        defaultValue={limits.employeesIdleMinutes ?? ''}
        data={of(choices.employees)}
      />
      <Text className="fine-print">{t('devices')}</Text>
    </SavedForm>
  );
}

type RuleProps = {
  issuer: string | null;
  fallback: number | undefined;
  issuers: { value: string; label: string }[];
  fallbacks: { value: string; label: string }[];
};

/** Chooses whether people sign in with one provider only, and whose password stays as the way back. */
export function ProviderRuleForm({ issuer, fallback, issuers, fallbacks }: RuleProps) {
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
