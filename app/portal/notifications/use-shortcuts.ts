'use client';

import { useHotkeys } from '@mantine/hooks';
import type { RefObject } from 'react';

export type ShortcutActions = { toggle: (no: number) => void; open: (no: number) => void; help: () => void };

/** j and k (move), Enter (open), r (read or unread), ? (help); can be switched off (WCAG 2.1.4). */
export function useShortcuts(
  enabled: boolean,
  list: RefObject<HTMLElement | null>,
  { toggle, open, help }: ShortcutActions,
): void {
  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-no]') ?? [])];
  const current = () => document.activeElement?.closest<HTMLElement>('[data-no]') ?? null;
  const move = (by: 1 | -1) => {
    const all = entries();
    const here = current();
    const next = here ? all[all.indexOf(here) + by] : all[0];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  const withCurrent = (act: (no: number) => void) => {
    const no = Number(current()?.dataset.no);
    if (no) act(no);
  };
  // Enter on a link or button inside the entry keeps its own meaning.
  const openEntry = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset.no === undefined) return;
    event.preventDefault();
    withCurrent(open);
  };
  useHotkeys(
    enabled
      ? [
          ['j', () => move(1)],
          ['k', () => move(-1)],
          ['r', () => withCurrent(toggle)],
          ['Enter', openEntry, { preventDefault: false }],
          // Keyboards differ in whether ? needs Shift.
          ['shift+?', help],
          ['?', help],
        ]
      : [],
  );
}
