import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import type { Marked } from '#app/portal/live/feed/channel.ts';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import { archiveOneAction, returnAction, snoozeAction } from '#app/portal/notification/actions.ts';
import type { ListedItem } from '#app/portal/notification/item.ts';
import { storeMark } from '#app/portal/notification/item-parts.tsx';
import { announce } from '#app/ui/dialogs/pop-up-area.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import type { BeforeMove } from '#server/inbox/archive.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { SnoozeTime } from '#server/inbox/snooze.ts';
import type { UnreadCount } from '#server/inbox/unread.ts';

type Problem = 'to-confirm' | 'past' | 'too-far' | 'failed';
type Moved = { before?: BeforeMove; unread: UnreadCount };

const problems: readonly string[] = ['to-confirm', 'past', 'too-far'];

/** Archives, snoozes and marks a notification. `undo` is there once it was moved, `problem` why not. */
export function useMove(item: ListedItem) {
  const t = useTranslations('archiveAndSnooze');
  const portal = usePortal();
  const pending = useRef(false);
  const [last, setLast] = useState<{ item: Item; before: BeforeMove } | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { no } = item;
  // Returns whether it is stored.
  const move = async (to: 'archive' | 'snoozed' | 'inbox', act: () => Promise<Result<Moved>>, marked: Marked) => {
    if (pending.current) return false;
    pending.current = true;
    const result = await act().catch(() => null);
    pending.current = false;
    if (result && 'value' in result) {
      const { before, unread } = result.value;
      portal.recordMarked(marked, unread);
      setLast(before ? { item, before } : null);
      setProblem(null);
      announce(t(`movedTo.${to}`));
      return true;
    }
    if (result) portal.checkSession(result);
    const form = result?.problems.form ?? '';
    setProblem(problems.includes(form) ? (form as Problem) : 'failed');
    return false;
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
