'use client';

import { Menu, NativeSelect, SegmentedControl } from '@mantine/core';
import { Languages } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { useTransition } from 'react';
import { chooseLanguageAction } from '#app/language-action.ts';

const languages = { id: 'Bahasa Indonesia', en: 'English' } as const;

function useLanguage() {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const choose = (language: string) =>
    startTransition(async () => {
      await chooseLanguageAction(language);
      router.refresh();
    });
  return { language: useLocale() === 'en' ? ('en' as const) : ('id' as const), pending, choose };
}

/** Switches the interface between Indonesian and English, at once and for later. */
export function LanguageSwitch() {
  const t = useTranslations('app');
  const { language, pending, choose } = useLanguage();
  return (
    <SegmentedControl
      aria-label={t('language')}
      name="language"
      className="language"
      readOnly={pending}
      value={language}
      onChange={choose}
      data={[
        { value: 'id', label: 'ID' },
        { value: 'en', label: 'EN' },
      ]}
    />
  );
}

/** Both languages by their own names, for the settings. */
export function LanguageChoice() {
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

/** The other language, as an entry of a menu where there is no room for the switch. */
export function LanguageItem() {
  const { language, choose } = useLanguage();
  const other = language === 'id' ? 'en' : 'id';
  return (
    <Menu.Item
      hiddenFrom="xs"
      lang={other}
      leftSection={<Languages aria-hidden size={18} />}
      mih={44}
      onClick={() => choose(other)}
    >
      {languages[other]}
    </Menu.Item>
  );
}
