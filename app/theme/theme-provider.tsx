'use client';

import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { pageNonce } from '#app/theme/page-nonce.ts';
import { cssVariables, theme } from '#app/theme/theme.ts';

/** The kit with our look; its style elements carry the page's nonce. */
export function Look({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const kept = pageNonce ?? nonce;
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={kept === undefined ? undefined : () => kept}
    >
      {children}
    </MantineProvider>
  );
}
