'use client';

import { NativeSelect } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { languages, useLanguage } from '#app/language/language-switch.tsx';

/** The choice of the language. */
export function LanguageField() {
  const t = useTranslations('app');
  const { language, pending, choose } = useLanguage();
  return (
    <NativeSelect
      aria-label={t('language')}
      value={language}
      disabled={pending}
      onChange={(event) => choose(event.currentTarget.value)}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
      maw={280}
    />
  );
}
