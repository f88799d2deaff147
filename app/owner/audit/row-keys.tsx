'use client';

import type { KeyboardEvent, ReactNode } from 'react';

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** Lets the arrow keys walk from row to row: from the link of one to that of the next. */
export function RowKeys({ children }: { children: ReactNode }) {
  const walk = (event: KeyboardEvent<HTMLElement>) => {
    const step = steps[event.key];
    const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('tr[data-action] a')];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    if (step === undefined || at < 0) return;
    event.preventDefault();
    rows[at + step]?.focus();
  };
  // biome-ignore lint/a11y/noStaticElementInteractions: the links inside take the focus and the keys
  return <div onKeyDown={walk}>{children}</div>;
}
