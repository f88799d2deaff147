'use client';

import '#app/theme/mantine.css';
import { MantineProvider } from '@mantine/core';
import { type ReactNode, use } from 'react';
import { theme } from '#app/theme/theme.ts';
import { PageNonce } from '#app/theme/theme-provider.tsx';

/** The layout of pages with Mantine's components. Sign-in, bell and documentation do without their 30 kB. */
export function Kit({ children }: { children: ReactNode }) {
  const nonce = use(PageNonce);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={nonce === undefined ? undefined : () => nonce}
    >
      {children}
    </MantineProvider>
  );
}
