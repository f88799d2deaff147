'use client';

import { Alert, Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { changeAlarmSettingsAction } from '#app/owner/alarms/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { Section } from '#app/ui/frame/section.tsx';
import type { AlarmSettings } from '#server/keys/alarms.ts';

/** The switches for the kinds of alarm. Each change is saved at once. */
export function AlarmSwitches({ initial }: { initial: AlarmSettings }) {
  const t = useTranslations('alarms');
  const [settings, setSettings] = useState(initial);
  const { run, pending, problems } = useAction(changeAlarmSettingsAction, setSettings);
  return (
    <Section id="alarms" title={t('settingsTitle')} lead={t('settingsLead')}>
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      {(['warnOfRepeats', 'warnOfSilence'] as const).map((name) => (
        <Switch
          key={name}
          className="tall"
          label={t(`${name}.label`)}
          description={t(`${name}.text`)}
          checked={settings[name]}
          disabled={pending}
          onChange={(event) => void run({ [name]: event.currentTarget.checked })}
        />
      ))}
    </Section>
  );
}
