'use client';

import { Alert, Stack, Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { usePreferenceChange } from '#app/portal/settings/use-preference-change.ts';

const choices = ['keepPopUps', 'hidePrivate', 'shortcuts'] as const;

/**
 * The choices about pop-ups and shortcuts. Each is saved at once for all browsers of the employee.
 */
export function PopUpSettings() {
  const t = useTranslations('popUps');
  const form = useTranslations('form');
  const { preferences } = usePortalState();
  const { change, failed } = usePreferenceChange();
  return (
    <Stack gap="md">
      {failed && (
        <Alert color="red" role="alert">
          {form('failed')}
        </Alert>
      )}
      {choices.map((choice) => (
        <Switch
          key={choice}
          size="md"
          className="tall"
          label={t(choice)}
          description={t(`${choice}Hint`)}
          checked={preferences[choice]}
          onChange={(event) => void change({ [choice]: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  );
}
