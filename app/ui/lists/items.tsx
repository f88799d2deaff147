import { Box, Group, Stack, Text } from '@mantine/core';
import type { PropsWithChildren, ReactNode } from 'react';
import { PageLink } from '#app/ui/text/links.tsx';

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

type WarningProps = {
  mark?: ReactNode;
  href: string;
  title: ReactNode;
  text?: ReactNode;
  [data: `data-${string}`]: unknown;
};

/** Something that asks for attention: a row of 48 px, or of more lines with a `text`, that opens its page. */
export function WarningRow({ mark, href, title, text, children, ...data }: PropsWithChildren<WarningProps>) {
  return (
    <li {...data}>
      {mark && <span className="row-mark">{mark}</span>}
      <Box flex={1} miw={0}>
        <PageLink href={href} className="row-link" dir="auto" data-two-lines={text === undefined || undefined}>
          {title}
        </PageLink>
        {text && <div className="fine-print">{text}</div>}
      </Box>
      {children}
    </li>
  );
}
