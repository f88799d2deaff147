'use client';

import { Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useSearchKey } from '#app/owner/employees/search-key.ts';

/** Switches the slash key of the employee list on and off, in this browser only. */
export function SearchKeySwitch() {
  const t = useTranslations('settings');
  const [on, change] = useSearchKey();
  return (
    <Switch
      size="md"
      className="tall"
      label={t('shortcut')}
      description={t('shortcutHint')}
      checked={on}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
