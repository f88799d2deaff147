import { Card, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A section of a page with its own heading. Links lead to its `id`. */
export function Section({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead?: string;
  children: ReactNode;
}) {
  return (
    <Card component="section" id={id} aria-labelledby={`${id}-title`} className="section">
      <Title order={2} size="h3" id={`${id}-title`}>
        {title}
      </Title>
      {lead && (
        <Text size="sm" c="dimmed" mt={4}>
          {lead}
        </Text>
      )}
      <Stack gap="sm" mt="sm" align="stretch">
        {children}
      </Stack>
    </Card>
  );
}
