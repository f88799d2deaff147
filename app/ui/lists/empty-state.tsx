import { Card, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { icon: ReactNode; title?: string; text: string; children?: ReactNode };

export function EmptyState({ icon, title, text, children }: Props) {
  return (
    <Stack component={Card} gap={10} align="center" px="md" py={32} ta="center">
      {icon}
      {title && <strong>{title}</strong>}
      <div className={title ? 'dimmed' : undefined}>{text}</div>
      {children}
    </Stack>
  );
}
