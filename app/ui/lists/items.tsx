import { Group, Stack, Text } from '@mantine/core';
import type { PropsWithChildren, ReactNode } from 'react';

export function Items({ children }: { children: ReactNode }) {
  return (
    <Stack component="ul" gap="sm" className="plain-list">
      {children}
    </Stack>
  );
}

type ItemProps = { name: string; badges?: ReactNode; action?: ReactNode; [data: `data-${string}`]: unknown };

/** One of a few things: its name with badges, small lines below it, and what can be done with it. */
export function Item({ name, badges, action, children, ...data }: PropsWithChildren<ItemProps>) {
  return (
    <Group component="li" justify="space-between" {...data}>
      <div style={{ flex: '1 1 220px', minWidth: 0 }}>
        <Group gap="xs">
          <Text fw={600} className="wrapping">
            <bdi>{name}</bdi>
          </Text>
          {badges}
        </Group>
        <div className="fine-print">{children}</div>
      </div>
      {action}
    </Group>
  );
}
