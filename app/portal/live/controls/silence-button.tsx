'use client';

import { Button } from '@mantine/core';
import { Moon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { silenceAction } from '#app/portal/preferences/actions.ts';
import { useAction } from '#app/ui/forms/use-action.ts';

/** No sound and no pop-up for an hour; pressed again, it ends. */
export function SilenceButton() {
  const t = useTranslations('quiet');
  const portal = usePortal();
  const { silentUntil } = usePortalState().preferences;
  const { run, pending } = useAction(silenceAction, (preferences) => portal.setPreferences(preferences));
  const silent = silentUntil !== null && silentUntil > new Date();
  return (
    <Button
      variant="default"
      // Not `loading`: a disabled button would lose the focus, and Escape would no longer close the
      // menu around it.
      aria-busy={pending}
      leftSection={<Moon aria-hidden size={18} />}
      onClick={() => void run({ minutes: silent ? 0 : 60 })}
    >
      {silent ? t('endSilence') : t('silence')}
    </Button>
  );
}
