import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A page's heading, the sentence below it, and its main action on the right. */
export function PageHead({ title, lead, children }: { title: ReactNode; lead?: ReactNode; children?: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-start" mb="lg">
      <div style={{ flex: '1 1 280px', minWidth: 0 }}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {lead && (
          <Text component="div" c="dimmed" mt={4}>
            {lead}
          </Text>
        )}
      </div>
      {children}
    </Group>
  );
}
