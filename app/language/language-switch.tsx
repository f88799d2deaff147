'use client';

import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useId, useTransition } from 'react';
import { chooseLanguageAction } from '#app/language/language-action.ts';
import { languageOf, languages } from '#platform/language.ts';

export function LanguageSwitch() {
  const t = useTranslations('app');
  const router = useRouter();
  const language = languageOf(useLocale());
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
      {languages.map((offered) => (
        <label key={offered}>
          <input
            type="radio"
            name={name}
            value={offered}
            checked={offered === language}
            onChange={() => choose(offered)}
          />
          <span lang={offered}>{offered.toUpperCase()}</span>
        </label>
      ))}
    </fieldset>
  );
}
