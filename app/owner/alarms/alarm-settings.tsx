'use client';

import { Alert, Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { changeAlarmSettingsAction } from '#app/owner/alarms/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { Section } from '#app/ui/frame/section.tsx';
import type { AlarmSettings as Settings } from '#server/keys/alarms.ts';

/** Which alarms the owner wants; each is kept at once. */
export function AlarmSettings({ initial }: { initial: Settings }) {
  const t = useTranslations('alarms');
  const [kept, setKept] = useState(initial);
  const { run, pending, problems } = useAction(changeAlarmSettingsAction, setKept);
  return (
    <Section id="alarms" title={t('settingsTitle')} lead={t('settingsLead')}>
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      {(['warnOfRepeats', 'warnOfSilence'] as const).map((name) => (
        <Switch
          key={name}
          className="tall"
          label={t(`${name}.label`)}
          description={t(`${name}.text`)}
          checked={kept[name]}
          disabled={pending}
          onChange={(event) => void run({ [name]: event.currentTarget.checked })}
        />
      ))}
    </Section>
  );
}
