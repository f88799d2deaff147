'use client';

import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useId } from 'react';

const icons = { auto: Monitor, light: Sun, dark: Moon };
const schemes: MantineColorScheme[] = ['auto', 'light', 'dark'];

/** The choice between the theme of the device, light and dark. The browser keeps it. */
export function ThemeSwitch() {
  const t = useTranslations('app.theme');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const name = useId();
  return (
    <fieldset className="segments" aria-label={t('title')}>
      {schemes.map((scheme) => {
        const Icon = icons[scheme];
        return (
          <label key={scheme}>
            <input
              type="radio"
              name={name}
              value={scheme}
              checked={colorScheme === scheme}
              onChange={() => setColorScheme(scheme)}
            />
            <span>
              <Icon strokeWidth={1.75} />
              {t(scheme)}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
