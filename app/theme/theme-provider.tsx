'use client';

import { LucideProvider } from 'lucide-react';
import { createContext, type ReactNode, useEffect } from 'react';
import { readStored } from '#app/ui/storage/local-storage.ts';
import { noteServiceTime } from '#app/ui/text/times.ts';

/** The nonce of the page, for the styles that `Kit` writes. */
export const PageNonce = createContext<string | undefined>(undefined);

type Props = { nonce: string | undefined; servedAt: number; children: ReactNode };

/** Marks the page as ready: earlier clicks are lost, so tests wait for it. With a listener, `Listener` sets it. */
export function markReady(): void {
  document.documentElement.dataset.ready = 'true';
}

/** What every page has: icons, the theme of the device, and the sign that its buttons answer. */
export function ThemeProvider({ nonce, servedAt, children }: Props) {
  // Before the children, which compare times.
  noteServiceTime(servedAt);
  useEffect(() => {
    if (!document.querySelector('.frame-bell')) markReady();
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const follow = () => {
      const chosen = readStored('mantine-color-scheme-value') ?? 'auto';
      if (chosen === 'auto') document.documentElement.dataset.mantineColorScheme = dark.matches ? 'dark' : 'light';
    };
    dark.addEventListener('change', follow);
    return () => dark.removeEventListener('change', follow);
  }, []);
  return (
    <PageNonce value={pageNonce ?? nonce}>
      {/* Beside a text of the usual size. Icons say nothing to screen readers by themselves. */}
      <LucideProvider size={18}>{children}</LucideProvider>
    </PageNonce>
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
