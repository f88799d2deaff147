'use client';

import { type AbstractIntlMessages, NextIntlClientProvider, useLocale, useMessages } from 'next-intl';
import { type ReactNode, useMemo } from 'react';

export function MoreTexts({ more, children }: { more: AbstractIntlMessages; children: ReactNode }) {
  const before = useMessages();
  const messages = useMemo(() => ({ ...before, ...more }), [before, more]);
  return (
    <NextIntlClientProvider locale={useLocale()} messages={messages}>
      {children}
    </NextIntlClientProvider>
  );
}
