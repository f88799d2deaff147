'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useTransition } from 'react';
import { chooseLanguageAction } from '#app/language/language-action.ts';

/** The languages by their own names. */
export const languages = { id: 'Bahasa Indonesia', en: 'English' } as const;

/** The language of the page, and how to choose another. */
export function useLanguage() {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const choose = (language: string) =>
    startTransition(async () => {
      await chooseLanguageAction(language);
      router.refresh();
    });
  return { language: useLocale() === 'id' ? ('id' as const) : ('en' as const), pending, choose };
}

/** Switches the interface between Indonesian and English, at once and for later. */
export function LanguageSwitch() {
  const t = useTranslations('app');
  const { language, pending, choose } = useLanguage();
  return (
    <fieldset className="language" aria-label={t('language')} aria-busy={pending}>
      {(['id', 'en'] as const).map((one) => (
        <label key={one}>
          <input type="radio" name="language" value={one} checked={language === one} onChange={() => choose(one)} />
          <span lang={one}>{one.toUpperCase()}</span>
        </label>
      ))}
    </fieldset>
  );
}
