import { Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { type ReactNode, useState } from 'react';

type Props = { label: string; summary: ReactNode; detail?: string; opened?: boolean; children: ReactNode };

/** A line that says what is chosen and opens its fields in place. `opened` opens them, and keeps them open. */
export function Fold({ label, summary, detail, opened = false, children }: Props) {
  const [isShown, setShown] = useState(opened);
  if (opened && !isShown) setShown(true);
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
        onClick={() => setShown(!isShown)}
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
