'use client';

import { Button, Group, Text } from '@mantine/core';
import { Mail, MailOpen, Undo2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import type { Marked } from '#app/portal/live/feed/channel.ts';
import { applyMark } from '#app/portal/live/store/mark-log.ts';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import { recordShownAction } from '#app/portal/notification/actions.ts';
import { ArchiveButton } from '#app/portal/notification/inbox-entry.tsx';
import {
  Confirm,
  CorrectedMark,
  ItemLink,
  KindDisc,
  ReminderMark,
  storeMark,
} from '#app/portal/notification/item-parts.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

// It stays on its own page, also archived or snoozed.
function follow(items: Item[], marked: Marked): Item[] {
  if (!('moved' in marked)) return applyMark(items, marked);
  return items.map((item) =>
    marked.moved.includes(item.no) ? { ...item, archived: marked.to === 'archive', back: false, read: true } : item,
  );
}

/** One notification with its whole text. Opening it marks it read. */
export function OpenedNotification({ initial }: { initial: Item | 'withdrawn' }) {
  const t = useTranslations();
  const portal = usePortal();
  const [items, setItems] = useState(initial === 'withdrawn' ? [] : [initial]);
  const [failed, setFailed] = useState(false);
  useEffect(() => portal.marks.follow((marked) => setItems((now) => follow(now, marked))), [portal]);
  const mark = async (no: number, read: boolean) => setFailed(!(await storeMark(portal, { no, read })));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (initial === 'withdrawn') return;
    void recordShownAction({ numbers: [initial.no] }).catch(() => {});
    if (!initial.read) void mark(initial.no, true);
  }, []);
  const [item] = items;
  if (!item)
    return (
      <EmptyState
        icon={<Undo2 aria-hidden size={32} />}
        title={t('notification.withdrawn')}
        text={t('notification.withdrawnText')}
      />
    );
  const Mark = item.read ? Mail : MailOpen;
  return (
    <article className="opened" data-opened={item.no} data-read={item.read}>
      <Group wrap="nowrap" gap="sm">
        <KindDisc kind={item.kind} />
        <Text className="fine-print">
          {t(`inbox.kind.${item.kind}`)} ·{' '}
          <bdi>{t(item.isManual ? 'bell.fromPerson' : 'bell.from', { sender: item.sender })}</bdi> ·{' '}
          <Timestamp at={item.createdAt} />
          <CorrectedMark item={item} />
          {item.archived && ` · ${t('archiveAndSnooze.isArchived')}`}
        </Text>
      </Group>
      <h1 dir="auto">
        <ReminderMark item={item} />
        {item.title}
      </h1>
      <p dir="auto" className="opened-text">
        {item.body}
      </p>
      {item.refusedUrl && (
        <Text className="fine-print">
          <bdi>{item.refusedUrl}</bdi>
        </Text>
      )}
      <Confirm item={item} />
      <Group gap="xs" mt="lg">
        {item.href && (
          <ItemLink href={item.href} read={async () => {}} button>
            {t('inbox.openLink')}
          </ItemLink>
        )}
        <Button
          variant="default"
          leftSection={<Mark aria-hidden size={18} />}
          onClick={() => void mark(item.no, !item.read)}
        >
          {item.read ? t('inbox.markUnread') : t('inbox.markRead')}
        </Button>
        <ArchiveButton item={item} label />
      </Group>
      <div role="status">{failed && t('inbox.failed')}</div>
    </article>
  );
}
