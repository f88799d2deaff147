'use client';

import { ActionIcon, Button, Group, Menu } from '@mantine/core';
import { type LucideIcon, MoreHorizontal } from 'lucide-react';

export type ActionEntry<Name> = { name: Name; text: string; icon: LucideIcon; isDestructive?: boolean };

type Props<Name> = { entries: ActionEntry<Name>[]; onChoose: (name: Name) => void };

export function ActionMenu<Name extends string>({
  label,
  icon: MenuIcon = MoreHorizontal,
  entries,
  onChoose,
}: Props<Name> & { label: string; icon?: LucideIcon }) {
  if (entries.length === 0) return null;
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <MenuIcon aria-hidden size={MenuIcon === MoreHorizontal ? 20 : 18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ name, text, icon: Icon, isDestructive }) => (
          <Menu.Item
            key={name}
            mih={44}
            color={isDestructive ? 'red' : undefined}
            leftSection={<Icon aria-hidden size={18} />}
            onClick={() => onChoose(name)}
          >
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

export function ActionButtons<Name extends string>({ entries, onChoose }: Props<Name>) {
  return (
    <Group gap={8}>
      {entries.map(({ name, text, icon: Icon, isDestructive }) => (
        <Button
          key={name}
          variant={isDestructive ? 'light' : 'default'}
          color={isDestructive ? 'red' : undefined}
          leftSection={<Icon aria-hidden size={18} />}
          onClick={() => onChoose(name)}
        >
          {text}
        </Button>
      ))}
    </Group>
  );
}
