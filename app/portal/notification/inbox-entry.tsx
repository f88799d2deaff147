import type { ListedItem } from '#app/portal/live/store/mark-log.ts';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import '#app/portal/notification/inbox-entry.css';
import '#app/ui/lists/lists.css';
import { Text, VisuallyHidden } from '@mantine/core';
import { AlarmClock, BadgeCheck, ChevronRight, EyeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { isAway, itemAddress, waitsForConfirmation } from '#app/portal/notification/item.ts';
import { ItemActions, useMove } from '#app/portal/notification/item-actions.tsx';
import { CorrectedMark, KindDisc, OpensAt, PictureMark, ReminderMark } from '#app/portal/notification/item-parts.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';
import { privateKinds } from '#server/notifications/kinds.ts';

/** `opened` is the number of the notification beside the list, which a press on a row changes. */
type Opening = { opened?: number; onOpen: (event: MouseEvent, no: number) => void };

/** A list of notifications by the `groups` of their repeats. Each row opens its notification. */
export function InboxEntries({ groups, ...opening }: Opening & { groups: ListedItem[][] }) {
  return (
    <ul className="plain-list entries">
      {groups.map((items) =>
        items.length > 1 ? (
          <RepeatedEntry key={items.at(-1)?.no} items={items} {...opening} />
        ) : (
          items.map((item) => <InboxEntry key={item.no} item={item} {...opening} />)
        ),
      )}
    </ul>
  );
}

type EntryProps = Opening & { item: ListedItem; nested?: boolean };

function InboxEntry({ item, nested, opened, onOpen }: EntryProps) {
  const t = useTranslations('archiveAndSnooze');
  const move = useMove(item);
  const { no, read, moved } = item;
  const away = isAway(item);
  const swipe = useSwipe((row, to) => {
    if (to === 'left') void (away ? move.toInbox() : move.archive());
    else row.querySelector<HTMLElement>('[aria-keyshortcuts=s]')?.click();
  });
  return (
    <li
      data-no={no}
      data-read={read}
      data-moved={moved}
      data-left={away ? t('toInbox') : t('archive')}
      data-right={t('remind')}
      aria-current={no === opened || undefined}
      tabIndex={-1}
      className="entry"
      data-nested={nested}
      {...(moved ? {} : swipe)}
    >
      <PageLink href={itemAddress(no)} className="entry-link" onClick={(event) => onOpen(event, no)}>
        <Face item={item} underDay={!item.onTop} problem={move.problem ? t(move.problem) : undefined} />
      </PageLink>
      <div className="entry-actions">
        <ItemActions item={item} move={move} />
      </div>
    </li>
  );
}

// Several notifications with one title, of one kind and sender: one row, which opens them.
function RepeatedEntry({ items, ...opening }: Opening & { items: ListedItem[] }) {
  const [unfolded, setUnfolded] = useState(false);
  const [newest] = items;
  if (!newest) return null;
  const read = items.every((item) => item.read);
  return (
    <>
      <li data-no={unfolded ? undefined : newest.no} data-read={read} tabIndex={-1} className="entry" data-repeats>
        <button type="button" className="entry-link" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          <Face item={{ ...newest, read }} underDay={!newest.onTop} times={items.length} />
          <ChevronRight aria-hidden size={18} className="repeat-arrow entry-arrow" />
        </button>
      </li>
      {unfolded && items.map((item) => <InboxEntry key={item.no} item={item} nested {...opening} />)}
    </>
  );
}

type FaceProps = { item: ListedItem; underDay?: boolean; times?: number; problem?: string };

/**
 * The two lines of a row. Unread is a dot, a weight and a word, because colour alone is not enough
 * (WCAG 1.4.1). `underDay`: a heading above says the day.
 */
export function Face({ item, underDay, times = 1, problem }: FaceProps) {
  const t = useTranslations();
  // A button has no headings inside.
  const Title = times > 1 ? 'span' : 'h3';
  return (
    <>
      <KindDisc kind={item.kind} />
      <Title className="entry-title">
        {!item.read && (
          <span className="unread-dot">
            <VisuallyHidden>{t('inbox.isUnread')}: </VisuallyHidden>
          </span>
        )}
        <span dir="auto" className="entry-name">
          <ReminderMark item={item} />
          <span>{item.moved === 'withdrawn' ? t('notification.withdrawn') : item.title}</span>
          <CorrectedMark item={item} />
        </span>
        {times > 1 && <span className="repeat-count">×{times}</span>}
      </Title>
      <span className="entry-time">
        <ShortTime at={item.createdAt} timeOnly={underDay} />
      </span>
      <span className="entry-second">
        <Second item={item} problem={problem} />
      </span>
    </>
  );
}

// What just happened to a notification, or who sent what.
function Second({ item, problem }: { item: ListedItem; problem?: string }) {
  const t = useTranslations();
  const { linkBase } = usePortal().initial;
  if (problem)
    return (
      <Text span inherit c="var(--loss)" role="alert">
        {problem}
      </Text>
    );
  if (item.moved === 'withdrawn') return null;
  if (item.moved)
    return (
      <Text span inherit fw={600} c="var(--accent)" className="entry-moved">
        {t(`archiveAndSnooze.movedTo.${item.moved}`)}
      </Text>
    );
  return (
    <>
      <VisuallyHidden>{t(`inbox.kind.${item.kind}`)} · </VisuallyHidden>
      <SnoozeState item={item} />
      <span className="entry-sender">
        <bdi>{item.sender}</bdi> ·{' '}
      </span>
      <PictureMark item={item} />
      {waitsForConfirmation(item) ? (
        <Text span inherit fw={600} c="var(--attention)" className="entry-waits">
          {t('inbox.toConfirm')}
        </Text>
      ) : (
        <Body item={item} />
      )}
      <OpensAt item={item} linkBase={linkBase} />
    </>
  );
}

// Why a row is on top, or until when it is away.
function SnoozeState({ item: { back, snoozedUntil } }: { item: Item }) {
  const t = useTranslations('archiveAndSnooze');
  if (!snoozedUntil) return null;
  return (
    <span>
      <Text span inherit fw={600} c="var(--accent)">
        <AlarmClock aria-hidden size={14} />{' '}
        <span>{back ? t('back') : t.rich('until', { time: () => <ShortTime at={snoozedUntil} /> })}</span>
      </Text>{' '}
      ·{' '}
    </span>
  );
}

function Body({ item }: { item: Item }) {
  const t = useTranslations();
  const { hidePrivate } = usePortalState().preferences;
  const hidden = hidePrivate && privateKinds.includes(item.kind);
  return (
    <span>
      {item.confirmedAt && (
        <span>
          <BadgeCheck aria-hidden size={14} /> <VisuallyHidden>{t('mustRead.confirmed')} · </VisuallyHidden>
        </span>
      )}
      {hidden ? (
        <span>
          <EyeOff aria-hidden size={14} /> {t('inbox.hiddenRow')}
        </span>
      ) : (
        <span dir="auto">
          <MarkedText text={item.body} />
        </span>
      )}
    </span>
  );
}

const slopPx = 12;
const swipePx = 88;

/** Moves a row with a finger that swipes sideways, and tells to which side it was swiped. */
function useSwipe(onSwipe: (row: HTMLElement, to: 'left' | 'right') => void) {
  const startX = useRef<number | null>(null);
  const distance = ({ clientX }: PointerEvent) => clientX - (startX.current ?? clientX);
  const end = (event: PointerEvent<HTMLElement>) => {
    const row = event.currentTarget;
    const moved = distance(event);
    startX.current = null;
    delete row.dataset.swipe;
    if (event.type === 'pointerup' && Math.abs(moved) >= swipePx) onSwipe(row, moved < 0 ? 'left' : 'right');
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === 'touch') startX.current = event.clientX;
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const moved = distance(event);
      if (Math.abs(moved) < slopPx) return;
      event.currentTarget.dataset.swipe = moved < 0 ? 'left' : 'right';
      event.currentTarget.style.setProperty('--swipe', `${moved}px`);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
