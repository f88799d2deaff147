import '@mantine/core/styles/Menu.css';
import { Menu, type MenuProps } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { PageLink } from '#app/ui/text/links.tsx';

/** Something to do: a function to call, or a page to open (`href`). A menu shows the `hint` below its text. */
export type ActionEntry = { text: string; hint?: string; icon: LucideIcon; isDestructive?: boolean } & (
  | { onChoose: () => void; href?: never }
  | { href: string; onChoose?: never }
);

export type OpenedMenuProps = { button: ReactElement; position: MenuProps['position']; entries: ActionEntry[] };

/** The menu of a button that was pressed. It opens as soon as it is loaded. */
export function OpenedMenu({ button, position, entries }: OpenedMenuProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [opened, setOpened] = useState(false);
  // Focused first: when the menu closes, the focus returns to the element that had it at the opening.
  useEffect(() => {
    place.current?.querySelector('button')?.focus();
    setOpened(true);
  }, []);
  return (
    <span ref={place}>
      <Menu
        position={position}
        width="min(16.25rem, 100vw - 24px)"
        opened={opened}
        onChange={setOpened}
        withInitialFocusPlaceholder={false}
        portalProps={{ target: '#content' }}
      >
        <Menu.Target>{button}</Menu.Target>
        <Menu.Dropdown>
          {entries.map(({ text, hint, icon: Icon, isDestructive, href, onChoose }) => (
            <Menu.Item
              key={text}
              mih={44}
              color={isDestructive ? 'red' : undefined}
              leftSection={<Icon />}
              renderRoot={
                href === undefined ? undefined : (props) => <PageLink href={href} {...props} type={undefined} />
              }
              onClick={onChoose}
            >
              {text}
              {hint && <span className="list-sub">{hint}</span>}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </span>
  );
}
