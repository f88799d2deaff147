'use client';

import { Alert } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';

// The name only, and only in this tab: it says that a key was shown here and not yet said to be saved.
const place = 'key-being-shown';

/** Remembers in this tab that the key of this name is being shown, until it was said to be saved (null). */
export function rememberShown(name: string | null): void {
  if (name === null) sessionStorage.removeItem(place);
  else sessionStorage.setItem(place, name);
}

/** Says after a reload that the key which was being shown is gone. */
export function LostKey() {
  const t = useTranslations('keys');
  const form = useTranslations('form');
  const [name, setName] = useState<string | null>(null);
  useEffect(() => setName(sessionStorage.getItem(place)), []);
  if (name === null) return null;
  const forget = () => {
    rememberShown(null);
    setName(null);
  };
  return (
    <Alert
      color="yellow"
      mb="md"
      role="status"
      withCloseButton
      onClose={forget}
      closeButtonLabel={form('close')}
      styles={{ closeButton: { width: 44, height: 44 } }}
    >
      {t('gonePage', { name })}
    </Alert>
  );
}
