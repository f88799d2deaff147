'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useId, useTransition } from 'react';
import { chooseLanguageAction } from '#app/language/language-action.ts';

/** The switch between Indonesian and English. The choice is saved. */
export function LanguageSwitch() {
  const t = useTranslations('app');
  const router = useRouter();
  const language = useLocale() === 'id' ? 'id' : 'en';
  const [pending, startTransition] = useTransition();
  const name = useId();
  const choose = (chosen: string) =>
    startTransition(async () => {
      await chooseLanguageAction(chosen);
      // An address with `?lang=` would keep its language.
      const url = new URL(location.href);
      if (!url.searchParams.has('lang')) return router.refresh();
      url.searchParams.delete('lang');
      location.replace(url);
    });
  return (
    <fieldset className="segments" aria-label={t('language')} aria-busy={pending}>
      {(['id', 'en'] as const).map((one) => (
        <label key={one}>
          <input type="radio" name={name} value={one} checked={language === one} onChange={() => choose(one)} />
          <span lang={one}>{one.toUpperCase()}</span>
        </label>
      ))}
    </fieldset>
  );
}
