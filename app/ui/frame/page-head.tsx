import { Card, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type Props = { title: ReactNode; lead?: ReactNode; compact?: boolean; children?: ReactNode };

/**
 * The heading of a page, its lead sentence, and its main action on the right. `compact`: above a
 * list, in one line also on a phone.
 */
export function PageHead({ title, lead, compact, children }: Props) {
  return (
    <div className="page-head" data-compact={compact || undefined}>
      <div>
        <h1>{title}</h1>
        {lead && <div className="page-lead">{lead}</div>}
      </div>
      {children}
    </div>
  );
}

type SectionProps = { id: string; title: string; lead?: string; children: ReactNode };

export function Section({ id, title, lead, children }: SectionProps) {
  return (
    <Card component="section" id={id} aria-labelledby={`${id}-title`} className="section">
      <Title order={2} size="h3" id={`${id}-title`}>
        {title}
      </Title>
      {lead && (
        <Text className="fine-print" mt={4}>
          {lead}
        </Text>
      )}
      <Stack gap="sm" mt="sm" align="stretch">
        {children}
      </Stack>
    </Card>
  );
}
