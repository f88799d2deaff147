'use client';

import { Button } from '@mantine/core';
import { Moon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { silenceAction } from '#app/portal/preferences/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

/** Silences sound and pop-ups for an hour. Pressed again, it ends the silence. */
export function SilenceButton() {
  const t = useTranslations('quiet');
  const portal = usePortal();
  const { silentUntil } = usePortalState().preferences;
  const { run, pending } = useAction(silenceAction, (preferences) => portal.setPreferences(preferences));
  const silent = silentUntil !== null && silentUntil > new Date();
  return (
    <Button
      variant="default"
      // Not `loading`: that disables the button, which loses the focus, and Escape no longer closes
      // the menu.
      aria-busy={pending}
      leftSection={<Moon aria-hidden size={18} />}
      onClick={() => void run({ minutes: silent ? 0 : 60 })}
    >
      {silent ? t('endSilence') : t('silence')}
    </Button>
  );
}
