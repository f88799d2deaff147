import '#app/portal/notification/inbox-entry.css';
import { AlarmClock, BadgeCheck, EyeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ListedItem } from '#app/portal/live/store/mark-log.ts';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { answerOf, waitsForConfirmation } from '#app/portal/notification/item.ts';
import { CorrectedMark, KindDisc, OpensAt, PictureMark, ReminderMark } from '#app/portal/notification/item-parts.tsx';
import { MarkedText } from '#app/ui/text/marked-text.tsx';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';
import { privateKinds } from '#server/notifications/kinds.ts';

type FaceProps = { item: ListedItem; underDay?: boolean; times?: number; problem?: string };

/** The two lines of a row. Unread is more than a colour (WCAG 1.4.1). `underDay`: a heading says the day. */
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
            <span className="unseen">{t('inbox.isUnread')}: </span>
          </span>
        )}
        <span dir="auto" className="entry-name">
          <ReminderMark item={item} />
          <span>{item.moved === 'withdrawn' ? t('notification.withdrawn') : <MarkedText text={item.title} />}</span>
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
      <span className="entry-problem" role="alert">
        {problem}
      </span>
    );
  if (item.moved === 'withdrawn') return null;
  if (item.moved) return <b className="entry-moved">{t(`archiveAndSnooze.movedTo.${item.moved}`)}</b>;
  return (
    <>
      <span className="unseen">{t(`inbox.kind.${item.kind}`)} · </span>
      <SnoozeState item={item} />
      <span className="entry-sender">
        <bdi>{item.sender}</bdi> ·{' '}
      </span>
      <PictureMark item={item} />
      {waitsForConfirmation(item) && (
        <b className="entry-waits">{t(item.answers ? 'inbox.toAnswer' : 'inbox.toConfirm')} · </b>
      )}
      <Body item={item} />
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
      <b>
        <AlarmClock size={14} />{' '}
        <span>{back ? t('back') : t.rich('until', { time: () => <ShortTime at={snoozedUntil} /> })}</span>
      </b>{' '}
      ·{' '}
    </span>
  );
}

function Body({ item }: { item: Item }) {
  const t = useTranslations();
  const { hidePrivate } = usePortalState().preferences;
  const hidden = hidePrivate && privateKinds.includes(item.kind);
  const given = answerOf(item);
  return (
    <span>
      {item.confirmedAt && (
        <span>
          <BadgeCheck size={14} />{' '}
          {given && !hidden ? (
            <bdi>{t('mustRead.answered', { answer: given })} · </bdi>
          ) : (
            <span className="unseen">{t('mustRead.confirmed')} · </span>
          )}
        </span>
      )}
      {hidden ? (
        <span>
          <EyeOff size={14} /> {t('inbox.hiddenRow')}
        </span>
      ) : (
        <span dir="auto">
          <MarkedText text={item.body} />
        </span>
      )}
    </span>
  );
}
