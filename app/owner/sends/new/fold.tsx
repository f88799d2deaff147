import { Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';

type Props = { label: string; summary: ReactNode; detail?: string; opened?: boolean; children: ReactNode };

/** A line that says what is chosen and opens its fields in place. `opened` keeps them open. */
export function Fold({ label, summary, detail, opened = false, children }: Props) {
  const [isOpened, setOpened] = useState(false);
  const isShown = isOpened || opened;
  const Chevron = isShown ? ChevronUp : ChevronDown;
  return (
    <Paper withBorder style={{ borderColor: 'var(--line-strong)' }}>
      <Group
        component={UnstyledButton}
        gap={8}
        w="100%"
        mih={44}
        px={12}
        wrap="nowrap"
        aria-expanded={isShown}
        onClick={() => setOpened(!isOpened)}
      >
        <Text size="sm" c="dimmed">
          {label}
        </Text>
        <Text size="sm" fw={600} lh={1.4} lineClamp={2} miw="min-content">
          {summary}
        </Text>
        <Text size="sm" c="dimmed" flex="1 1 auto">
          {detail}
        </Text>
        <Chevron style={{ flexShrink: 0 }} />
      </Group>
      {isShown && (
        <Stack gap="sm" p="xs" pt={4}>
          {children}
        </Stack>
      )}
    </Paper>
  );
}
