import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { type LucideIcon, MoreHorizontal } from 'lucide-react';
import { ButtonLink, PageLink } from '#app/ui/text/links.tsx';

/** Something to do: a function to call, or a page to open (`href`). A menu shows the `hint` below its text. */
export type ActionEntry = { text: string; hint?: string; icon: LucideIcon; isDestructive?: boolean } & (
  | { onChoose: () => void; href?: never }
  | { href: string; onChoose?: never }
);

type MenuProps = { label: string; icon?: LucideIcon; outlined?: boolean; pending?: boolean; entries: ActionEntry[] };

/** A menu behind a button with an icon; `outlined` beside buttons, not in a row of a list. */
export function ActionMenu({ label, icon: MenuIcon = MoreHorizontal, outlined, pending, entries }: MenuProps) {
  if (entries.length === 0) return null;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon
          variant={outlined ? 'default' : 'subtle'}
          color={outlined ? undefined : 'gray'}
          aria-label={label}
          loading={pending}
        >
          <MenuIcon size={outlined || MenuIcon !== MoreHorizontal ? 18 : 20} />
        </ActionIcon>
      </Menu.Target>
      <MenuEntries entries={entries} />
    </Menu>
  );
}

export function MenuEntries({ entries }: { entries: ActionEntry[] }) {
  return (
    <Menu.Dropdown>
      {entries.map(({ text, hint, icon: Icon, isDestructive, href, onChoose }) => {
        const look = { mih: 44, color: isDestructive ? 'red' : undefined, leftSection: <Icon /> };
        return href === undefined ? (
          <Menu.Item key={text} {...look} onClick={onChoose}>
            {text}
            {hint && <span className="list-sub">{hint}</span>}
          </Menu.Item>
        ) : (
          <Menu.Item key={text} {...look} component={PageLink} href={href}>
            {text}
          </Menu.Item>
        );
      })}
    </Menu.Dropdown>
  );
}

type ButtonsProps = { entries: ActionEntry[]; variant?: 'default' | 'light' };

/** The first action as a button, the others in a menu beside it. */
export function MainAction({ label, entries: [main, ...more] }: { label: string; entries: ActionEntry[] }) {
  return (
    <>
      {main && <ActionButtons entries={[main]} variant="light" />}
      <ActionMenu label={label} outlined entries={more} />
    </>
  );
}

/** Actions as buttons beside each other. */
export function ActionButtons({ entries, variant = 'default' }: ButtonsProps) {
  return (
    <Group gap={8}>
      {entries.map(({ text, icon: Icon, href, onChoose }) =>
        href === undefined ? (
          <Button key={text} variant={variant} leftSection={<Icon />} onClick={onChoose}>
            {text}
          </Button>
        ) : (
          <ButtonLink key={text} variant={variant} icon={<Icon />} href={href}>
            {text}
          </ButtonLink>
        ),
      )}
    </Group>
  );
}
