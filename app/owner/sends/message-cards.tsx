import '#app/owner/sends/message-cards.css';
import { Card, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { KindDisc } from '#app/portal/notification/item-parts.tsx';
import type { Kind } from '#server/notifications/kinds.ts';

/** Cards of messages that were not sent yet: templates, planned sends. Its children are `MessageCard`. */
export function MessageCards({ children }: { children: ReactNode }) {
  return <ul className="message-cards">{children}</ul>;
}

/** A card with the kind of a message, its name or title, what there is to say, and its buttons. */
export function MessageCard({
  kind,
  title,
  level,
  buttons,
  below,
  children,
  ...data
}: {
  kind: Kind;
  title: string;
  /** The level of the card's heading. */
  level: 2 | 3;
  buttons?: ReactNode;
  /** What needs the whole width of the card, under its text. */
  below?: ReactNode;
  children: ReactNode;
} & { [data: `data-${string}`]: string | number }) {
  return (
    <Card component="li" {...data}>
      <div className="message-card-head">
        <KindDisc kind={kind} />
        <div>
          <Text component={`h${level}`} fw={600} m={0} size="md" dir="auto" className="wrapping">
            {title}
          </Text>
          {children}
        </div>
      </div>
      {below}
      {buttons && (
        <Group gap="xs" mt="sm">
          {buttons}
        </Group>
      )}
    </Card>
  );
}
