'use client';

import { Box, Group, Text, VisuallyHidden } from '@mantine/core';
import { Mail, MailOpen } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { Confirm, ReminderMark } from '#app/portal/notification/confirm.tsx';
import { ItemLink } from '#app/portal/notification/item-link.tsx';
import { KindDisc } from '#app/portal/notification/kind-icon.tsx';
import { PrivateBody } from '#app/portal/notification/private-body.tsx';
import { Moment } from '#app/ui/text/moment.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

/**
 * One notification of a list: kind, title, text, time and link. Unread ones are marked by a dot, by
 * weight and in words, because colour alone is not enough (WCAG 1.4.1).
 */
export function InboxEntry({ item, onMark }: { item: Item; onMark: (read: boolean) => Promise<void> }) {
  const t = useTranslations('inbox');
  const { preferences } = usePortalState();
  const Mark = item.read ? Mail : MailOpen;
  const { title } = item;
  const markRead = async () => {
    if (!item.read) await onMark(true);
  };
  return (
    <li id={`n${item.no}`} data-no={item.no} data-read={item.read} tabIndex={-1} className="inbox-entry">
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <KindDisc kind={item.kind} />
        <Box style={{ flex: 1, minWidth: 0 }}>
          <Text component="h3" size="md" fw={item.read ? 500 : 700} m={0} dir="auto" className="wrapping">
            {!item.read && (
              <span className="unread-dot">
                <VisuallyHidden>{t('isUnread')}: </VisuallyHidden>
              </span>
            )}
            <ReminderMark item={item} />
            {title}
          </Text>
          <PrivateBody item={item} hidden={preferences.hidePrivate ?? false} onOpen={() => void markRead()} />
          {item.refusedUrl && (
            <Text size="sm" c="dimmed" className="wrapping">
              <bdi>{item.refusedUrl}</bdi>
            </Text>
          )}
          <Confirm item={item} />
          <Group gap="xs" mt={2} align="center">
            <Text size="sm" c="dimmed">
              {t(`kind.${item.kind}`)} · <bdi>{item.sender}</bdi> · <Moment at={item.createdAt} />
            </Text>
            {item.href && (
              <ItemLink href={item.href} read={markRead} label={t('openLinkNamed', { title })}>
                {t('openLink')}
              </ItemLink>
            )}
          </Group>
        </Box>
        <button
          type="button"
          className="icon-button"
          title={item.read ? t('markUnread') : t('markRead')}
          aria-label={item.read ? t('markUnreadNamed', { title }) : t('markReadNamed', { title })}
          onClick={() => void onMark(!item.read)}
        >
          <Mark aria-hidden size={20} />
        </button>
      </Group>
    </li>
  );
}
