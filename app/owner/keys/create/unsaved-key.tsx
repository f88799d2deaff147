'use client';

import { Alert } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';

// Session storage belongs to one tab. It keeps the name of the key, never the key, until the owner has saved it.
export const unsavedKey = 'key-being-shown';

/** Says after a reload that the key which this tab showed cannot be shown again. */
export function UnsavedKeyNotice() {
  const t = useTranslations();
  const [name, setName] = useState<string | null>(null);
  useEffect(() => setName(sessionStorage.getItem(unsavedKey)), []);
  if (name === null) return null;
  const dismiss = () => {
    sessionStorage.removeItem(unsavedKey);
    setName(null);
  };
  return (
    <Alert
      color="yellow"
      mb="md"
      role="status"
      withCloseButton
      onClose={dismiss}
      closeButtonLabel={t('form.close')}
      styles={{ closeButton: { width: 44, height: 44 } }}
    >
      {t('keys.gonePage', { name })}
    </Alert>
  );
}
