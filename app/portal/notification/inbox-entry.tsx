import '#app/ui/lists/lists.css';
import { ChevronRight } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type MouseEvent, type PointerEvent, useRef, useState } from 'react';
import type { ListedItem } from '#app/portal/live/store/mark-log.ts';
import { Face } from '#app/portal/notification/entry-face.tsx';
import { isAway, itemAddress } from '#app/portal/notification/item.ts';
import { ItemActions, useMove } from '#app/portal/notification/item-actions.tsx';
import { PageLink } from '#app/ui/text/links.tsx';

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

function InboxEntry({ item, nested, opened, onOpen }: Opening & { item: ListedItem; nested?: boolean }) {
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
          <ChevronRight className="repeat-arrow entry-arrow" />
        </button>
      </li>
      {unfolded && items.map((item) => <InboxEntry key={item.no} item={item} nested {...opening} />)}
    </>
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
