'use client';

import { Languages } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useId, useTransition } from 'react';
import { chooseLanguageAction } from '#app/language/language-action.ts';

const languages = { id: 'Bahasa Indonesia', en: 'English' } as const;

function useLanguage() {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const choose = (language: string) =>
    startTransition(async () => {
      await chooseLanguageAction(language);
      // An address with `?lang=` would keep its language.
      const url = new URL(location.href);
      if (!url.searchParams.has('lang')) return router.refresh();
      url.searchParams.delete('lang');
      location.replace(url);
    });
  return { language: useLocale() === 'id' ? ('id' as const) : ('en' as const), pending, choose };
}

/** The switch between Indonesian and English. The choice is saved. */
export function LanguageSwitch() {
  const t = useTranslations('app');
  const { language, pending, choose } = useLanguage();
  const name = useId();
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

/** A menu entry that switches to the other language. It replaces the switch on narrow screens. */
export function LanguageItem({ onChoose }: { onChoose: () => void }) {
  const { language, choose } = useLanguage();
  const other = language === 'id' ? 'en' : 'id';
  return (
    <button
      type="button"
      lang={other}
      onClick={() => {
        onChoose();
        choose(other);
      }}
    >
      <Languages aria-hidden size={18} />
      {languages[other]}
    </button>
  );
}
