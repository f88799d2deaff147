'use client';

import { Badge } from '@mantine/core';
import { Bell as BellIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { maxUnread, shortCount } from '#app/portal/live/store/portal-state.ts';
import { PageLink } from '#app/ui/text/links.tsx';

/** The unread count. It leads to the list. */
export function Bell() {
  const t = useTranslations('bell');
  const { unread } = usePortalState();
  return (
    <PageLink
      href="/portal/notifications"
      className="icon-button"
      aria-label={t('label', { count: Math.min(unread.count, maxUnread) })}
      style={{ position: 'relative' }}
    >
      {unread.count > 0 && (
        <Badge aria-hidden variant="filled" color="red" size="sm" px={4} miw={18} pos="absolute" top={-1} right={-1}>
          {shortCount(unread.count)}
        </Badge>
      )}
      <BellIcon aria-hidden size={22} />
    </PageLink>
  );
}
