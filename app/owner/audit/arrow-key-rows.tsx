'use client';

import type { KeyboardEvent, ReactNode } from 'react';

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Moves the focus with the arrow keys from the link of one row to that of the next. */
export function ArrowKeyRows({ children }: { children: ReactNode }) {
  const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.row-link')];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    rows[at + step]?.focus();
  };
  // biome-ignore lint/a11y/noStaticElementInteractions: the links inside have the focus and receive the keys
  return <div onKeyDown={moveFocus}>{children}</div>;
}
