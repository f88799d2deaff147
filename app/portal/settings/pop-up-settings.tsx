'use client';

import { Alert, Stack, Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { changePreferencesAction } from '#app/portal/preferences/actions.ts';

type Choice = 'hidePrivate' | 'keepPopUps' | 'shortcuts';

/**
 * The choices about pop-ups and shortcuts. Each is saved at once for all browsers of the employee.
 */
export function PopUpSettings() {
  const t = useTranslations('popUps');
  const form = useTranslations('form');
  const portal = usePortal();
  const { preferences } = usePortalState();
  const [failed, setFailed] = useState(false);
  const choose = async (choice: Choice, on: boolean) => {
    const before = portal.state.preferences;
    portal.setPreferences({ ...before, [choice]: on });
    const result = await changePreferencesAction({ [choice]: on }).catch(() => null);
    const stored = result !== null && 'value' in result;
    portal.setPreferences(stored ? result.value : before);
    setFailed(!stored);
  };
  const choices: Choice[] = ['keepPopUps', 'hidePrivate', 'shortcuts'];
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
          checked={preferences[choice] ?? false}
          onChange={(event) => void choose(choice, event.currentTarget.checked)}
        />
      ))}
    </Stack>
  );
}
