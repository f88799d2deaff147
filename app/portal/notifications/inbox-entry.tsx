'use client';

import { ActionIcon, Anchor, Box, Card, Group, Text, ThemeIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { Mail, MailOpen } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { Item } from '#app/portal/item.ts';
import { KindIcon } from '#app/portal/kind-icon.tsx';
import { Moment } from '#app/ui/moment.tsx';

/** One notification: kind, title, text, time, its link, and whether it was read (dot, weight and words, not colour alone). */
export function InboxEntry({
  item,
  heading,
  onMark,
}: {
  item: Item;
  heading: 'h2' | 'h3';
  onMark: (read: boolean) => void;
}) {
  const t = useTranslations('inbox');
  const Mark = item.read ? Mail : MailOpen;
  const { title } = item;
  return (
    <Card component="li" withBorder padding="sm" data-no={item.no} data-read={item.read}>
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <ThemeIcon variant="light" size={40} radius="xl" color={item.read ? 'gray' : undefined}>
          <KindIcon kind={item.kind} size={20} />
        </ThemeIcon>
        <Box style={{ flex: 1, minWidth: 0 }}>
          <Group gap={6} wrap="nowrap" align="center">
            {!item.read && (
              <Box w={10} h={10} bg="var(--mantine-primary-color-filled)" style={{ borderRadius: 5, flexShrink: 0 }}>
                <VisuallyHidden>{t('isUnread')}</VisuallyHidden>
              </Box>
            )}
            <Text component={heading} size="md" fw={item.read ? 500 : 700} m={0}>
              <bdi>{title}</bdi>
            </Text>
          </Group>
          <Text component="p" m={0} mt={2} className="multiline">
            <bdi>{item.body}</bdi>
          </Text>
          {item.refusedUrl && (
            <Text size="sm" c="dimmed">
              <bdi>{item.refusedUrl}</bdi>
            </Text>
          )}
          <Group gap="xs" mt={6}>
            <Text size="sm" c="dimmed">
              {t(`kind.${item.kind}`)} · <bdi>{item.sender}</bdi> · <Moment at={item.createdAt} />
            </Text>
            {item.href && (
              <Anchor
                href={item.href}
                size="sm"
                aria-label={t('openLinkNamed', { title })}
                py={4}
                onClick={() => item.read || onMark(true)}
              >
                {t('openLink')}
              </Anchor>
            )}
          </Group>
        </Box>
        <Tooltip label={item.read ? t('markUnread') : t('markRead')}>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={item.read ? t('markUnreadNamed', { title }) : t('markReadNamed', { title })}
            onClick={() => onMark(!item.read)}
          >
            <Mark aria-hidden size={20} />
          </ActionIcon>
        </Tooltip>
      </Group>
    </Card>
  );
}
