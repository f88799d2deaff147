'use client';

import { Group, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { KindIcon } from '#app/portal/notification/item-parts.tsx';
import type { Kind } from '#server/notifications/kinds.ts';

export function KindCounts({
  count,
  kinds,
  link,
}: {
  count: number;
  kinds: { kind: Kind; count: number }[];
  link: ReactNode;
}) {
  const t = useTranslations();
  return (
    <Stack gap={4}>
      <Text size="sm">{t('bell.summary', { count })}</Text>
      <Group component="ul" m={0} p={0} style={{ gap: '4px 16px', listStyle: 'none' }}>
        {kinds.map((one) => (
          <Group key={one.kind} gap={6} component="li" wrap="nowrap">
            <KindIcon kind={one.kind} size={16} />
            <Text size="sm">{t('bell.ofKind', { count: one.count, kind: t(`inbox.kind.${one.kind}`) })}</Text>
          </Group>
        ))}
      </Group>
      {link}
    </Stack>
  );
}
