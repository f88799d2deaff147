import { Box, Group, Stack, Text } from '@mantine/core';
import { ChevronLeft } from 'lucide-react';
import type { PropsWithChildren, ReactNode } from 'react';
import { TextLink } from '#app/ui/text/links.tsx';

type Props = { title: ReactNode; lead?: ReactNode; compact?: boolean; back?: { href: string; text: string } };

/** The head of a page, its action on the right. `compact`: above a list. `back`: from an item to its list, beside the action. */
export function PageHead({ title, lead, compact, back, children }: PropsWithChildren<Props>) {
  const actions = children && (
    <Group gap={6} wrap="nowrap" className="head-actions no-print">
      {children}
    </Group>
  );
  return (
    <>
      {back && (
        <Group justify="space-between" wrap="nowrap" gap={8} mb={{ base: 8, sm: 0 }}>
          <BackLink {...back} />
          {actions}
        </Group>
      )}
      <div className="page-head" data-compact={compact || undefined}>
        <div>
          <h1>{title}</h1>
          {lead && (
            <Box maw="68ch" c="dimmed" mt={compact ? 0 : 4} fz={compact ? 'var(--type-13)' : 'var(--type-14)'}>
              {lead}
            </Box>
          )}
        </div>
        {!back && actions}
      </div>
    </>
  );
}

export function BackLink({ href, text }: NonNullable<Props['back']>) {
  return (
    <TextLink href={href} size="sm" py={12} className="no-print">
      <ChevronLeft size={16} style={{ marginInlineStart: -4, verticalAlign: -3 }} /> {text}
    </TextLink>
  );
}

type SectionProps = { id: string; title: string; lead?: string; quiet?: boolean; children: ReactNode };

/** A card. `quiet`: its title is only read out, because the same words stand beside it. */
export function Section({ id, title, lead, quiet = false, children }: SectionProps) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="section">
      <h2 id={`${id}-title`} hidden={quiet}>
        {title}
      </h2>
      {lead && (
        <Text className="fine-print" mt={4}>
          {lead}
        </Text>
      )}
      <Stack gap="sm">{children}</Stack>
    </section>
  );
}
