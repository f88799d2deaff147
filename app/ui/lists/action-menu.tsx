import { ActionIcon, Button, Group } from '@mantine/core';
import { MoreHorizontal } from 'lucide-react';
import { cloneElement, type HTMLAttributes, type ReactElement, useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import type { ActionEntry, OpenedMenuProps } from '#app/ui/lists/opened-menu.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';

type MenuProps = { label: string; outlined?: boolean; pending?: boolean; entries: ActionEntry[] };

/** A menu behind a button; `outlined` beside buttons, not in a row of a list. */
export function ActionMenu({ label, outlined, pending, entries }: MenuProps) {
  if (entries.length === 0) return null;
  return (
    <MenuBehind position="bottom-end" entries={entries}>
      <ActionIcon
        variant={outlined ? 'default' : 'subtle'}
        color={outlined ? undefined : 'gray'}
        aria-label={label}
        loading={pending}
      >
        <MoreHorizontal size={outlined ? 18 : 20} />
      </ActionIcon>
    </MenuBehind>
  );
}

const OpenedMenu = whenNeeded(() => import('#app/ui/lists/opened-menu.tsx'), 'OpenedMenu', {
  waiting: ({ button }) => button,
});

/** A menu behind the button `children`, loaded when it is pressed. */
export function MenuBehind({
  children,
  ...menu
}: Omit<OpenedMenuProps, 'button'> & { children: ReactElement<HTMLAttributes<HTMLElement>> }) {
  const [isPressed, setPressed] = useState(false);
  if (isPressed) return <OpenedMenu button={children} {...menu} />;
  return cloneElement(children, { 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setPressed(true) });
}

/** The first action as a button, which keeps the focus when its text changes; the others in a menu beside it. */
export function MainAction({ label, entries: [main, ...more] }: { label: string; entries: ActionEntry[] }) {
  return (
    <>
      {main && <ActionButton {...main} />}
      <ActionMenu label={label} outlined entries={more} />
    </>
  );
}

export function ActionButtons({ entries }: { entries: ActionEntry[] }) {
  return (
    <Group gap={8}>
      {entries.map((entry) => (
        <ActionButton key={entry.text} {...entry} />
      ))}
    </Group>
  );
}

function ActionButton({ text, icon: Icon, href, onChoose }: ActionEntry) {
  return href === undefined ? (
    <Button variant="light" leftSection={<Icon />} onClick={onChoose}>
      {text}
    </Button>
  ) : (
    <ButtonLink variant="light" icon={<Icon />} href={href} text={text} />
  );
}
