'use client';

import '#app/ui/forms/controls.css';
import { Alert, Button, Group, Stack, Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { QuietBadge } from '#app/portal/live/controls/sound-control.tsx';
import { SilenceButton } from '#app/portal/live/controls/sound-panel.tsx';
import { asClock } from '#app/portal/live/quiet/quiet.ts';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { changePreferencesAction } from '#app/portal/notification/actions.ts';
import { Form, TextField } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';
import { ZoneField } from '#app/ui/forms/zone-field.tsx';

const evening = 20 * 60;
const morning = 6 * 60;
const asInput = (minute: number) => asClock(minute).replace('.', ':');
const asMinute = (text: string) => {
  const [hour, minute] = text.split(':').map(Number);
  return /^\d{2}:\d{2}/.test(text) ? (hour ?? 0) * 60 + (minute ?? 0) : Number.NaN;
};

export function QuietHours({ companyZone, zones }: { companyZone: string; zones: string[] }) {
  const t = useTranslations('quiet');
  const form = useTranslations('form');
  const portal = usePortal();
  const { quietFrom, quietUntil, quietTimeZone } = usePortalState().preferences;
  const [on, setOn] = useState(quietFrom !== null);
  const [saved, setSaved] = useState(false);
  const { run, pending, problems } = useAction(changePreferencesAction, (preferences) => {
    portal.setPreferences(preferences);
    setSaved(true);
  });
  const submit = ({ quietFrom: from = '', quietUntil: until = '', zone = '' }: Record<string, string>) => {
    const quietTimeZone = zone === companyZone ? null : zone;
    void run({ quietFrom: asMinute(from), quietUntil: asMinute(until), quietTimeZone });
  };
  const toggle = (isOn: boolean) => {
    setOn(isOn);
    setSaved(false);
    void run(isOn ? { quietFrom: evening, quietUntil: morning } : { quietFrom: null, quietUntil: null });
  };
  return (
    <Stack gap="sm">
      <Group>
        <SilenceButton />
        <QuietBadge />
      </Group>
      <Switch label={t('hours')} checked={on} onChange={(event) => toggle(event.currentTarget.checked)} />
      {!on && problems.form && <Alert color="red">{problems.form}</Alert>}
      {on && (
        <Form problems={problems} onSubmit={submit} onChange={() => setSaved(false)}>
          <Group grow align="flex-start">
            <TextField type="time" name="quietFrom" label={t('from')} defaultValue={asInput(quietFrom ?? evening)} />
            <TextField type="time" name="quietUntil" label={t('to')} defaultValue={asInput(quietUntil ?? morning)} />
          </Group>
          <ZoneField name="zone" label={t('zone')} zones={zones} defaultValue={quietTimeZone ?? companyZone} />
          <Group>
            <Button type="submit" loading={pending}>
              {form('save')}
            </Button>
            <div role="status">{saved && t('saved')}</div>
          </Group>
        </Form>
      )}
    </Stack>
  );
}
