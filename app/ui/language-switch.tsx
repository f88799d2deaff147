'use client';

import { SegmentedControl } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useTransition } from 'react';
import { chooseLanguageAction } from '#app/language-action.ts';

/** Switches the interface between Indonesian and English, at once and for later. */
export function LanguageSwitch() {
  const t = useTranslations('app');
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const choose = (language: string) =>
    startTransition(async () => {
      await chooseLanguageAction(language);
      router.refresh();
    });
  return (
    <SegmentedControl
      aria-label={t('language')}
      name="language"
      size="sm"
      readOnly={pending}
      value={useLocale()}
      onChange={choose}
      data={[
        { value: 'id', label: 'ID' },
        { value: 'en', label: 'EN' },
      ]}
    />
  );
}
