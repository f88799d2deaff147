import { AlarmClock, Archive, Inbox, type LucideIcon, Mail, MailOpen, Undo2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import type { Marked } from '#app/portal/live/feed/channel.ts';
import type { ListedItem } from '#app/portal/live/store/mark-log.ts';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import { archiveOneAction, returnAction, snoozeAction } from '#app/portal/notification/actions.ts';
import { takeFocus } from '#app/portal/notification/choices.tsx';
import { isAway, waitsForConfirmation } from '#app/portal/notification/item.ts';
import { storeMark } from '#app/portal/notification/item-parts.tsx';
import { announce } from '#app/ui/dialogs/announce.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { HeaderMenu } from '#app/ui/frame/header-menu.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { BeforeMove, SnoozeTime } from '#server/inbox/moves.ts';
import type { UnreadCount } from '#server/inbox/unread.ts';
import { withoutMarks } from '#server/notifications/text-marks.ts';

const SnoozeChoices = whenNeeded(() => import('#app/portal/notification/snooze-choices.tsx'), 'SnoozeChoices', {
  height: 176,
});

type Props = { item: ListedItem; move: ReturnType<typeof useMove>; words?: boolean };

/** What can be done with a notification: as icons in a row, which have keys, or with `words`. */
export function ItemActions({ item, move, words = false }: Props) {
  const t = useTranslations('archiveAndSnooze');
  const inbox = useTranslations('inbox');
  const [snoozing, setSnoozing] = useState(false);
  const className = words ? 'quiet-button' : 'icon-button';
  const named = (text: string) => `${text}: ${withoutMarks(item.title)}`;
  const button = (Icon: LucideIcon, text: string, shortcut: string, act: () => unknown) => (
    <button
      type="button"
      className={className}
      {...(!words && { title: text, 'aria-label': named(text), 'aria-keyshortcuts': shortcut })}
      onClick={() => void act()}
    >
      <Icon />
      {words && <span>{text}</span>}
    </button>
  );
  if (item.moved === 'withdrawn') return null;
  const away = isAway(item);
  const waits = waitsForConfirmation(item);
  const { undo } = move;
  return (
    <>
      {undo && (
        <button type="button" className="quiet-button settle" ref={takeFocus} onClick={() => void undo()}>
          <Undo2 />
          {t('undo')}
        </button>
      )}
      {!undo && away && button(Inbox, t('toInbox'), 'e', move.toInbox)}
      {!undo && !away && !waits && button(Archive, t('archive'), 'e', move.archive)}
      {(snoozing || !(undo || away)) && (
        <HeaderMenu
          label={words ? t('remind') : named(t('remind'))}
          icon={
            <>
              <AlarmClock />
              {words && t('remind')}
            </>
          }
          look={{ button: undo ? 'quiet-button gone' : className, panel: 'row-panel' }}
          shortcut={words ? undefined : 's'}
          onChange={setSnoozing}
        >
          {(close) => (
            <SnoozeChoices
              snooze={move.snooze}
              problem={move.problem ? t(move.problem) : undefined}
              note={waits ? t('stillToConfirm') : undefined}
              onClose={close}
            />
          )}
        </HeaderMenu>
      )}
      {!undo &&
        button(item.read ? MailOpen : Mail, item.read ? inbox('markUnread') : inbox('markRead'), 'r', move.mark)}
    </>
  );
}

type Moved = { before?: BeforeMove; unread: UnreadCount };

const problems = ['to-confirm', 'past', 'too-far'] as const;

/** Archives, snoozes and marks a notification. `undo` is there once it was moved, `problem` why not. */
export function useMove(item: ListedItem) {
  const t = useTranslations('archiveAndSnooze');
  const portal = usePortal();
  const pending = useRef(false);
  const [last, setLast] = useState<{ item: Item; before: BeforeMove } | null>(null);
  const [problem, setProblem] = useState<(typeof problems)[number] | 'failed' | null>(null);
  const { no } = item;
  // Returns whether it is stored.
  const move = async (to: 'archive' | 'snoozed' | 'inbox', act: () => Promise<Result<Moved>>, marked: Marked) => {
    if (pending.current) return false;
    pending.current = true;
    const result = await portal.storeMarked(act(), () => marked);
    pending.current = false;
    if ('problem' in result) {
      setProblem(problems.find((name) => name === result.problem) ?? 'failed');
      return false;
    }
    const { before } = result.value;
    setLast(before ? { item, before } : null);
    setProblem(null);
    announce(t(`movedTo.${to}`));
    return true;
  };
  const returnAs = (returned: Item, before: BeforeMove) =>
    move('inbox', () => returnAction({ no, ...before }), { returned: [returned] });
  return {
    problem,
    undo: last && item.moved && item.moved !== 'inbox' ? () => returnAs(last.item, last.before) : undefined,
    archive: () => move('archive', () => archiveOneAction({ no }), { moved: [no], to: 'archive' }),
    snooze: (time: SnoozeTime) => move('snoozed', () => snoozeAction({ no, time }), { moved: [no], to: 'snoozed' }),
    toInbox: () =>
      returnAs({ ...item, archived: false, snoozedUntil: undefined, back: false }, { unread: false, back: false }),
    mark: async () => setProblem((await storeMark(portal, { no, read: !item.read })) ? null : 'failed'),
  };
}
