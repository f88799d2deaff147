'use client';

import { Languages } from 'lucide-react';
import { languages, useLanguage } from '#app/language/language-switch.tsx';

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
