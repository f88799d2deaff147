'use client';

import { NativeSelect, Switch } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { languages, useLanguage } from '#app/language/language-switch.tsx';
import { useSearchKey } from '#app/owner/employees/search-key.ts';

/** The choice of the language, and the switch of the employee list's slash key in this browser. */
export function AccountFields() {
  const app = useTranslations('app');
  const t = useTranslations('settings');
  const { language, pending, choose } = useLanguage();
  const [hasSearchKey, setSearchKey] = useSearchKey();
  return (
    <>
      <NativeSelect
        aria-label={app('language')}
        value={language}
        disabled={pending}
        onChange={(event) => choose(event.currentTarget.value)}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        maw={280}
      />
      <Switch
        label={t('shortcut')}
        description={t('shortcutHint')}
        checked={hasSearchKey}
        onChange={(event) => setSearchKey(event.currentTarget.checked)}
      />
    </>
  );
}
