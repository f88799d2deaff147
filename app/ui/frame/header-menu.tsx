'use client';

import { useClickOutside } from '@mantine/hooks';
import { usePathname } from 'next/navigation';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';

/**
 * A button in the header and the panel that hangs below it at the header's end. The panel closes at
 * Escape, at a press or the focus elsewhere, and when a link led to another page; the focus that
 * was in it goes back to the button.
 */
export function HeaderMenu({
  label,
  icon,
  panel,
  opened,
  onChange,
  children,
}: {
  label: string;
  icon: ReactNode;
  /** Names the panel; without it, it is named as its button. */
  panel?: string;
  opened: boolean;
  onChange: (opened: boolean) => void;
  children: ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const around = useClickOutside<HTMLDivElement>(() => opened && onChange(false));
  useCloseOnLeaving(onChange);
  useFocusBack(opened, button);
  const pressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !opened) return;
    onChange(false);
    button.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys come from the button and the panel inside
    <div
      ref={around}
      onKeyDown={pressed}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !around.current?.contains(relatedTarget)) onChange(false);
      }}
    >
      <button
        ref={button}
        type="button"
        className="icon-button"
        aria-label={label}
        aria-expanded={opened}
        onClick={() => onChange(!opened)}
      >
        {icon}
      </button>
      {opened && (
        <div className="header-panel" role="dialog" aria-label={panel ?? label}>
          {children}
        </div>
      )}
    </div>
  );
}

function useFocusBack(opened: boolean, button: RefObject<HTMLButtonElement | null>): void {
  const was = useRef(opened);
  useEffect(() => {
    // What had the focus is gone with the panel; where somebody pressed elsewhere, it is there.
    if (was.current && !opened && document.activeElement === document.body) button.current?.focus();
    was.current = opened;
  }, [opened, button]);
}

function useCloseOnLeaving(onChange: (opened: boolean) => void): void {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link in the panel leads to another page, which closes it
  useEffect(() => onChange(false), [pathname]);
}
