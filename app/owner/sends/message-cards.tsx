import { Box, Card, Group, SimpleGrid, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { KindDisc } from '#app/portal/notification/item-parts.tsx';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import type { DraftContent } from '#server/sends/drafts.ts';

export function MessageCards({ align, children }: { align?: 'start'; children: ReactNode }) {
  return (
    <SimpleGrid
      component="ul"
      minColWidth="min(100%, 380px)"
      spacing="sm"
      className="plain-list message-cards"
      style={{ alignItems: align }}
    >
      {children}
    </SimpleGrid>
  );
}

type CardProps = {
  of: Pick<DraftContent, 'kind' | 'answers'>;
  title: string;
  level: 2 | 3;
  buttons: ReactNode;
  children: ReactNode;
} & { [data: `data-${string}`]: string | number };

/** A card with the kind of a message, its name or title, what there is to say, its answers and its buttons. */
export function MessageCard({ of: { kind, answers }, title, level, buttons, children, ...data }: CardProps) {
  const t = useTranslations('sends');
  return (
    <Card component="li" style={{ justifyContent: 'space-between' }} {...data}>
      <Group gap={12} wrap="nowrap" align="stretch">
        <KindDisc kind={kind} />
        <Box flex={1} miw={0}>
          <Text component={`h${level}`} fw={600} m={0} size="md" dir="auto" className="wrapping">
            <MarkedText text={title} />
          </Text>
          {children}
          {answers && (
            <Text className="fine-print">
              {t('answers')} <bdi>{answers.join(' / ')}</bdi>
            </Text>
          )}
        </Box>
      </Group>
      <Group gap="xs" mt="sm">
        {buttons}
      </Group>
    </Card>
  );
}
