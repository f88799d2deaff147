'use client';

/** The nonce this page came with; later answers name others, which hold for nothing here. */
export const pageNonce =
  typeof document === 'undefined' ? undefined : document.querySelector<HTMLElement>('script[nonce]')?.nonce;

// The libraries of the pop-ups and of the reference add style sheets by themselves and cannot be
// told a nonce. Whatever runs here was let in by it already, so what it adds is let in too.
if (pageNonce) {
  const create = document.createElement;
  document.createElement = function createElement(this: Document, name: string, options?: ElementCreationOptions) {
    const made: HTMLElement = create.call(this, name, options);
    if (made instanceof HTMLStyleElement) made.nonce = pageNonce;
    return made;
  } as typeof document.createElement;
}
