'use client';

import { MarkedText } from '#app/ui/text/marked-text.tsx';
import '#app/portal/notification/inbox-entry.css';
import { Group, Text, Title } from '@mantine/core';
import { Undo2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, useState } from 'react';
import { type ListedItem, markRow } from '#app/portal/live/store/mark-log.ts';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import { recordShownAction } from '#app/portal/notification/actions.ts';
import { Confirm } from '#app/portal/notification/confirm.tsx';
import { waitsForConfirmation } from '#app/portal/notification/item.ts';
import { ItemActions, useMove } from '#app/portal/notification/item-actions.tsx';
import { CorrectedMark, KindDisc, ReminderMark, storeMark } from '#app/portal/notification/item-parts.tsx';
import { EmptyState } from '#app/ui/lists/list-parts.tsx';
import { MessagePicture } from '#app/ui/pictures/message-picture.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';
import { findLinkTarget } from '#server/notifications/field-rules.ts';

type Props = { initial: Item | 'withdrawn'; headingOrder?: 1 | 2 };

/** One notification with its whole text. Opening it marks it read. */
export function OpenedNotification({ initial, headingOrder = 1 }: Props) {
  const t = useTranslations('notification');
  const portal = usePortal();
  const [item, setItem] = useState<ListedItem | null>(initial === 'withdrawn' ? null : initial);
  const [failed, setFailed] = useState(false);
  useEffect(() => portal.marks.follow((marked) => setItem((now) => now && markRow(now, marked))), [portal]);
  const open = useEffectEvent(() => {
    if (initial === 'withdrawn') return;
    recordShownAction({ numbers: [initial.no] }).catch(() => {});
    if (!initial.read) void storeMark(portal, { no: initial.no, read: true }).then((stored) => setFailed(!stored));
  });
  useEffect(() => open(), []);
  if (!item || item.moved === 'withdrawn')
    return <EmptyState icon={<Undo2 size={32} />} title={t('withdrawn')} text={t('withdrawnText')} />;
  return <Opened item={item} failed={failed} headingOrder={headingOrder} />;
}

function Opened({ item, failed, headingOrder }: { item: ListedItem; failed: boolean; headingOrder: 1 | 2 }) {
  const t = useTranslations();
  const [isDrawn, setIsDrawn] = useState(false);
  const move = useMove(item);
  const { linkBase } = usePortal().initial;
  const target = item.href === null ? null : findLinkTarget(item.href, linkBase);
  return (
    <article className="opened" data-opened={item.no} data-read={item.read}>
      <Group wrap="nowrap" gap="sm">
        <KindDisc kind={item.kind} />
        <Text className="fine-print">
          {t(`inbox.kind.${item.kind}`)} ·{' '}
          <bdi>{t(item.isManual ? 'bell.fromPerson' : 'bell.from', { sender: item.sender })}</bdi> ·{' '}
          <Timestamp at={item.createdAt} />
          <CorrectedMark item={item} />
          {(item.moved || item.archived) && <span> · {t(`archiveAndSnooze.movedTo.${item.moved ?? 'archive'}`)}</span>}
        </Text>
      </Group>
      <Title order={headingOrder} dir="auto" mt="md" mb={8} fz="var(--type-20)" lh={1.3} className="wrapping">
        <ReminderMark item={item} />
        <span>
          <MarkedText text={item.title} />
        </span>
      </Title>
      <Text dir="auto" mb="sm" lh={1.55} className="multiline wrapping">
        <MarkedText text={item.body} />
      </Text>
      <MessagePicture picture={item.picture} title={item.title} onDrawn={() => setIsDrawn(true)} />
      {item.refusedUrl && (
        <Text className="fine-print wrapping">
          <bdi>{item.refusedUrl}</bdi>
        </Text>
      )}
      <Confirm item={item} isShown={isDrawn || !item.picture} />
      <Group gap={4} mt="lg" pos="relative" className="opened-actions">
        {target && (
          <a
            className={waitsForConfirmation(item) ? 'quiet-button' : 'plain-button'}
            href={target.href}
            {...(target.host && { target: '_blank', rel: 'noopener noreferrer' })}
          >
            {target.host ? t('bell.opensHost', { host: target.host }) : t('inbox.openLink')}
          </a>
        )}
        <ItemActions item={item} move={move} words />
      </Group>
      {(failed || move.problem) && (
        <Text c="var(--loss)" role="alert">
          {t(`archiveAndSnooze.${move.problem ?? 'failed'}`)}
        </Text>
      )}
    </article>
  );
}
