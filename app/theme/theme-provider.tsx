'use client';

import { MantineProvider } from '@mantine/core';
import { LucideProvider } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { theme } from '#app/theme/theme.ts';
import { noteServiceTime } from '#app/ui/text/times.ts';

type Props = { nonce: string | undefined; servedAt: number; children: ReactNode };

export function ThemeProvider({ nonce, servedAt, children }: Props) {
  // Before the children, which compare times.
  noteServiceTime(servedAt);
  const documentNonce = pageNonce ?? nonce;
  // The buttons respond from now on. Clicks before are lost, so tests wait for it.
  useEffect(() => {
    document.documentElement.dataset.ready = 'true';
  }, []);
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      getStyleNonce={documentNonce === undefined ? undefined : () => documentNonce}
    >
      {/* Beside a text of the usual size. Icons say nothing to screen readers by themselves. */}
      <LucideProvider size={18}>{children}</LucideProvider>
    </MantineProvider>
  );
}

/** The nonce of this document. Later responses carry other nonces, which do not count for it. */
const pageNonce =
  typeof document === 'undefined' ? undefined : document.querySelector<HTMLElement>('script[nonce]')?.nonce;

// The library of the pop-ups adds a style element and takes no nonce. Only scripts with the nonce
// run here, so their style elements may carry it too.
if (pageNonce) {
  const create = document.createElement;
  document.createElement = function createElement(this: Document, name: string, options?: ElementCreationOptions) {
    const element: HTMLElement = create.call(this, name, options);
    if (element instanceof HTMLStyleElement) element.nonce = pageNonce;
    return element;
  } as typeof document.createElement;
}
