import { useClickOutside, useWindowEvent } from '@mantine/hooks';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';

type Props = {
  label: string;
  icon: ReactNode;
  /** The classes of button and panel, where they do not lie in the header. */
  look?: { button: string; panel: string };
  /** A key that presses the button, where its row has the focus. */
  shortcut?: string;
  onChange?: (opened: boolean) => void;
  children: (close: () => void) => ReactNode;
};

const inHeader = { button: 'icon-button', panel: '' };

/** A button with a panel, which closes at Escape, a click elsewhere and on another page; the focus returns. */
export function HeaderMenu({ label, icon, look = inHeader, shortcut, onChange, children }: Props) {
  const [opened, setOpened] = useState(false);
  const change = (open: boolean) => {
    setOpened(open);
    onChange?.(open);
  };
  const button = useRef<HTMLButtonElement>(null);
  const around = useClickOutside<HTMLDivElement>(() => opened && change(false));
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes it
  useEffect(() => change(false), [pathname]);
  const was = useRef(opened);
  useEffect(() => {
    // The closed panel removed the focused element. After a click outside, the focus stays where the click was.
    if (was.current && !opened && document.activeElement === document.body) button.current?.focus();
    was.current = opened;
  }, [opened]);
  // Wherever the focus is: the panel may still be loading what takes it.
  useWindowEvent('keydown', ({ key }) => {
    if (key !== 'Escape' || !opened) return;
    change(false);
    button.current?.focus();
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the focus leaves what is inside
    <div
      ref={around}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget && !around.current?.contains(relatedTarget)) change(false);
      }}
    >
      <button
        ref={button}
        type="button"
        className={look.button}
        title={shortcut && label}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        aria-expanded={opened}
        onClick={() => change(!opened)}
      >
        {icon}
      </button>
      {opened && (
        <div className={`header-panel ${look.panel}`} role="dialog" aria-label={label}>
          {children(() => change(false))}
        </div>
      )}
    </div>
  );
}
