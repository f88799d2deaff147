'use client';

import { Alert } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';

// Session storage belongs to one tab. It gets the name of the key, never the key.
const storageKey = 'key-being-shown';

/** Stores the name of the key that this tab shows, until the owner has saved it (null). */
export function storeUnsavedKeyName(name: string | null): void {
  if (name === null) sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, name);
}

/** Says after a reload that the key which this tab showed cannot be shown again. */
export function UnsavedKeyNotice() {
  const t = useTranslations('keys');
  const form = useTranslations('form');
  const [name, setName] = useState<string | null>(null);
  useEffect(() => setName(sessionStorage.getItem(storageKey)), []);
  if (name === null) return null;
  const dismiss = () => {
    storeUnsavedKeyName(null);
    setName(null);
  };
  return (
    <Alert
      color="yellow"
      mb="md"
      role="status"
      withCloseButton
      onClose={dismiss}
      closeButtonLabel={form('close')}
      styles={{ closeButton: { width: 44, height: 44 } }}
    >
      {t('gonePage', { name })}
    </Alert>
  );
}
