import type { useTranslations } from 'next-intl';
import { toast } from 'sonner';
import type { Marked } from '#app/portal/live/feed/channel.ts';
import type { PortalStore } from '#app/portal/live/store/portal-store.ts';
import {
  archiveAction,
  archiveReadAction,
  endSnoozeAction,
  restoreAction,
  snoozeAction,
  undoArchiveAction,
} from '#app/portal/notification/actions.ts';
import { announce } from '#app/ui/dialogs/pop-up-area.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import type { Item } from '#server/inbox/inbox-item.ts';
import type { SnoozeTime } from '#server/inbox/snooze.ts';
import type { UnreadCount } from '#server/inbox/unread.ts';

const undoMs = 10_000;

type Say = ReturnType<typeof useTranslations<'archiveAndSnooze'>>;
type Archived = Parameters<typeof undoArchiveAction>[0] & { count: number };

export type Problem = 'to-confirm' | 'past' | 'too-far' | 'failed';

const problems: readonly string[] = ['to-confirm', 'past', 'too-far'];

// Runs an action, then tells all lists and tabs what it changed. Returns why it was refused, or
// null.
async function run<Value extends { unread: UnreadCount }>(
  portal: PortalStore,
  action: Promise<Result<Value>>,
  changed: (value: Value) => Marked,
  done: (value: Value) => void,
): Promise<Problem | null> {
  const result = await action.catch(() => null);
  if (result && 'value' in result) {
    portal.recordMarked(changed(result.value), result.value.unread);
    done(result.value);
    return null;
  }
  if (result) portal.checkSession(result);
  const form = result?.problems.form ?? '';
  return problems.includes(form) ? (form as Problem) : 'failed';
}

function offerUndo(t: Say, text: string, undo: () => Promise<Problem | null>): void {
  announce(text);
  const onClick = () => void undo().then((problem) => problem && toast.error(t('failed')));
  toast(text, {
    id: 'archived-or-snoozed',
    duration: undoMs,
    action: { label: t('undo'), onClick },
    position: 'bottom-center',
  });
}

// Offers to undo an archive action. `items` return to the list.
function offerReturn(portal: PortalStore, t: Say, archived: Archived, items: Item[]): void {
  const undo = () =>
    run(
      portal,
      undoArchiveAction(archived),
      () => ({ returned: items }),
      () => announce(t('returned')),
    );
  offerUndo(t, t('archived', { count: archived.count }), undo);
}

const inInbox = (item: Item): Item => ({ ...item, archived: false, snoozedUntil: undefined, back: false });

/** Archives a notification and offers to undo it. Returns why not, or null. */
export function archiveItem(portal: PortalStore, t: Say, item: Item): Promise<Problem | null> {
  return run(
    portal,
    archiveAction({ numbers: [item.no] }),
    () => ({ moved: [item.no], to: 'archive' }),
    ({ archived }) => offerReturn(portal, t, { ...archived, count: 1 }, [{ ...item, archived: false }]),
  );
}

/**
 * Archives everything that the employee has read and offers to undo it. `items` are those of the
 * list. Returns why not, or null.
 */
export function archiveAllRead(portal: PortalStore, t: Say, items: Item[]): Promise<Problem | null> {
  const gone = items.filter((item) => item.read && (!item.mustConfirm || item.confirmedAt !== null));
  return run(
    portal,
    archiveReadAction({}),
    () => ({ moved: gone.map(({ no }) => no), to: 'archive' }),
    ({ archived }) => offerReturn(portal, t, archived, gone),
  );
}

/** Moves a notification from the archive back. Returns why not, or null. */
export function restoreItem(portal: PortalStore, t: Say, item: Item): Promise<Problem | null> {
  return run(
    portal,
    restoreAction({ no: item.no }),
    () => ({ returned: [inInbox(item)] }),
    () => announce(t('returned')),
  );
}

/** Snoozes a notification and offers to undo it. Returns why not, or null. */
export function snoozeItem(portal: PortalStore, t: Say, item: Item, time: SnoozeTime): Promise<Problem | null> {
  return run(
    portal,
    snoozeAction({ no: item.no, time }),
    () => ({ moved: [item.no], to: 'snoozed' }),
    ({ back }) => offerUndo(t, t('snoozed'), () => endSnooze(portal, t, item, back)),
  );
}

/** Ends the snooze of a notification; `back`: it is on top again. Returns why not, or null. */
export function endSnooze(portal: PortalStore, t: Say, item: Item, back: boolean): Promise<Problem | null> {
  return run(
    portal,
    endSnoozeAction({ no: item.no, back }),
    () => ({ returned: [back ? item : inInbox(item)] }),
    () => announce(t('returned')),
  );
}
