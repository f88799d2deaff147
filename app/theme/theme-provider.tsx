'use client';

import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { pageNonce } from '#app/theme/page-nonce.ts';
import { cssVariables, theme } from '#app/theme/theme.ts';

/** Provides Mantine with our theme. Its style elements carry the page's nonce. */
export function ThemeProvider({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const documentNonce = pageNonce ?? nonce;
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={documentNonce === undefined ? undefined : () => documentNonce}
    >
      {children}
    </MantineProvider>
  );
}
