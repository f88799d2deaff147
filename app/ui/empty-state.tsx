import { Card, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** What a list shows while it has nothing: an icon, a line, and what to do or expect. */
export function EmptyState({
  icon,
  title,
  text,
  children,
}: {
  icon: ReactNode;
  title?: string;
  text: string;
  children?: ReactNode;
}) {
  return (
    <Card withBorder padding="xl">
      <Stack align="center" gap="xs">
        {icon}
        {title && <Text fw={600}>{title}</Text>}
        <Text ta="center" c={title ? 'dimmed' : undefined}>
          {text}
        </Text>
        {children}
      </Stack>
    </Card>
  );
}
