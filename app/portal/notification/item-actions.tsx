import { AlarmClock, Archive, Inbox, type LucideIcon, Mail, MailOpen, Undo2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { isAway, type ListedItem, waitsForConfirmation } from '#app/portal/notification/item.ts';
import type { useMove } from '#app/portal/notification/use-move.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { HeaderMenu } from '#app/ui/frame/header-menu.tsx';

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
  const named = (text: string) => `${text}: ${item.title}`;
  const button = (Icon: LucideIcon, text: string, shortcut: string, act: () => unknown) => (
    <button
      type="button"
      className={className}
      title={words ? undefined : text}
      aria-label={words ? undefined : named(text)}
      aria-keyshortcuts={words ? undefined : shortcut}
      onClick={() => void act()}
    >
      <Icon aria-hidden size={18} />
      {words && text}
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
          <Undo2 aria-hidden size={18} />
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
              <AlarmClock aria-hidden size={18} />
              {words && t('remind')}
            </>
          }
          look={{ button: undo ? 'quiet-button gone' : className, panel: 'row-panel' }}
          shortcut={words ? undefined : 's'}
          opened={snoozing}
          onChange={setSnoozing}
        >
          <SnoozeChoices
            snooze={move.snooze}
            problem={move.problem ? t(move.problem) : undefined}
            note={waits ? t('stillToConfirm') : undefined}
            onClose={() => setSnoozing(false)}
          />
        </HeaderMenu>
      )}
      {!undo &&
        button(item.read ? MailOpen : Mail, item.read ? inbox('markUnread') : inbox('markRead'), 'r', move.mark)}
    </>
  );
}

// The button that had the focus was removed, or lies in a panel that closes.
function takeFocus(button: HTMLElement | null): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement?.closest('.row-panel')) button?.focus({ preventScroll: true });
}
