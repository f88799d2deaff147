import '#app/portal/notification/inbox-entry.css';
import { Text, VisuallyHidden } from '@mantine/core';
import { AlarmClock, BadgeCheck, ChevronRight, EllipsisVertical, EyeOff, Mail, MailOpen } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { itemAddress, waitsForConfirmation } from '#app/portal/notification/item.ts';
import { CorrectedMark, KindDisc, ReminderMark } from '#app/portal/notification/item-parts.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { PageLink } from '#app/ui/text/links.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';
import { privateKinds } from '#server/notifications/kinds.ts';

const ArchiveDialog = whenNeeded(() => import('#app/portal/notification/archive-dialog.tsx'), 'ArchiveDialog');

type OnMark = (item: Item, read: boolean) => void;

/** A list of notifications by the `groups` of their repeats. Each row opens its notification. */
export function InboxEntries({ groups, onMark }: { groups: Item[][]; onMark: OnMark }) {
  return (
    <ul className="entries">
      {groups.map((items) =>
        items.length > 1 ? (
          <RepeatedEntry key={items.at(-1)?.no} items={items} onMark={onMark} />
        ) : (
          items.map((item) => <InboxEntry key={item.no} item={item} onMark={onMark} />)
        ),
      )}
    </ul>
  );
}

function InboxEntry({ item, onMark, nested }: { item: Item; onMark: OnMark; nested?: boolean }) {
  const t = useTranslations('inbox');
  const { no, read, title } = item;
  const Mark = read ? MailOpen : Mail;
  return (
    <li data-no={no} data-read={read} tabIndex={-1} className="entry" data-nested={nested}>
      <PageLink href={itemAddress(no)} className="entry-link">
        <Face item={item} />
      </PageLink>
      <button
        type="button"
        className="icon-button entry-mark"
        title={read ? t('markUnread') : t('markRead')}
        aria-label={read ? t('markUnreadNamed', { title }) : t('markReadNamed', { title })}
        onClick={() => onMark(item, !read)}
      >
        <Mark aria-hidden size={18} />
      </button>
      <ArchiveButton item={item} />
    </li>
  );
}

// Several notifications with one title, of one kind and sender: one row, which opens them.
function RepeatedEntry({ items, onMark }: { items: Item[]; onMark: OnMark }) {
  const [opened, setOpened] = useState(false);
  const [newest] = items;
  if (!newest) return null;
  const read = items.every((item) => item.read);
  return (
    <>
      <li data-no={opened ? undefined : newest.no} data-read={read} tabIndex={-1} className="entry" data-repeats>
        <button type="button" className="entry-link" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          <Face item={{ ...newest, read }} times={items.length} />
          <ChevronRight aria-hidden size={18} className="entry-arrow" />
        </button>
      </li>
      {opened && items.map((item) => <InboxEntry key={item.no} item={item} onMark={onMark} nested />)}
    </>
  );
}

// The two lines of a row. Unread is a dot, a weight and a word, because colour alone is not enough
// (WCAG 1.4.1).
function Face({ item, times = 1 }: { item: Item; times?: number }) {
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
          {item.title}
          <CorrectedMark item={item} />
        </span>
        {times > 1 && <span className="entry-times">×{times}</span>}
      </Title>
      <span className="entry-time">
        <ShortTime at={item.createdAt} />
      </span>
      <span className="entry-second">
        <VisuallyHidden>{t(`inbox.kind.${item.kind}`)} · </VisuallyHidden>
        <SnoozeState item={item} />
        <bdi style={{ color: 'var(--text)' }}>{item.sender}</bdi> ·{' '}
        {waitsForConfirmation(item) ? (
          <Text span inherit fw={600} c="var(--attention)">
            {t('inbox.toConfirm')}
          </Text>
        ) : (
          <Body item={item} />
        )}
      </span>
    </>
  );
}

// Why a row is on top, or until when it is away.
function SnoozeState({ item: { back, snoozedUntil } }: { item: Item }) {
  const t = useTranslations('archiveAndSnooze');
  if (!snoozedUntil) return null;
  return (
    <>
      <Text span inherit fw={600} c="var(--accent)">
        <AlarmClock aria-hidden size={14} />{' '}
        {back ? t('back') : t.rich('until', { time: () => <ShortTime at={snoozedUntil} /> })}
      </Text>{' '}
      ·{' '}
    </>
  );
}

function Body({ item }: { item: Item }) {
  const t = useTranslations();
  const { hidePrivate } = usePortalState().preferences;
  const hidden = hidePrivate && privateKinds.includes(item.kind);
  return (
    <>
      {item.confirmedAt && (
        <>
          <BadgeCheck aria-hidden size={14} /> <VisuallyHidden>{t('mustRead.confirmed')} · </VisuallyHidden>
        </>
      )}
      {hidden ? (
        <>
          <EyeOff aria-hidden size={14} /> {t('inbox.hiddenRow')}
        </>
      ) : (
        <span dir="auto">{item.body}</span>
      )}
    </>
  );
}

/** Opens the dialog that archives or snoozes a notification. `label`: with its words, as a button. */
export function ArchiveButton({ item, label = false }: { item: Item; label?: boolean }) {
  const t = useTranslations('archiveAndSnooze');
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button
        type="button"
        className={label ? 'plain-button' : 'icon-button'}
        title={label ? undefined : t('title')}
        aria-label={label ? undefined : t('named', { title: item.title })}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {label ? (
          <>
            <AlarmClock aria-hidden size={18} /> {t('title')}
          </>
        ) : (
          <EllipsisVertical aria-hidden size={18} />
        )}
      </button>
      {opened && <ArchiveDialog item={item} onClose={() => setOpened(false)} />}
    </>
  );
}
