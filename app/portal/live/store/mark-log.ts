import type { Mark, Marked } from '#app/portal/live/feed/channel.ts';
import type { InboxFilter } from '#server/inbox/inbox.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

/** A notification that keeps its place in an open list. `moved`: where it went; `onTop`: it was back from a snooze. */
export type ListedItem = Item & { moved?: 'archive' | 'snoozed' | 'inbox' | 'withdrawn'; onTop?: boolean };

const maxKept = 200;

/** Returns a list after a mark: what left the inbox is not in it, and what returned has its place. */
export function applyMark(items: Item[], marked: Marked): Item[] {
  if ('returned' in marked) return withReturned(items, marked.returned);
  return items.map((item) => markRow(item, marked)).filter(({ moved }) => !moved);
}

/** A row after a mark. It keeps its place, also when moved. `place`: what the list shows, if not the inbox. */
export function markRow(item: ListedItem, marked: Marked, place?: InboxFilter['place']): ListedItem {
  const { no, back } = item;
  if ('no' in marked && marked.no === no) return { ...item, read: marked.read, back: back && !marked.read };
  if ('upTo' in marked && no <= marked.upTo) return { ...item, read: true };
  if ('unreadAgain' in marked && marked.unreadAgain.includes(no)) return { ...item, read: false };
  if ('confirmed' in marked && marked.confirmed === (item.remindsNo ?? no))
    return { ...item, confirmedAt: marked.at, answer: marked.answer ?? null, read: true };
  if ('withdrawn' in marked && marked.withdrawn.includes(no))
    return { ...item, moved: 'withdrawn', title: '', body: '' };
  if ('moved' in marked && marked.moved.includes(no)) {
    const moved = place === marked.to ? undefined : marked.to;
    return marked.to === 'archive' ? { ...item, moved, archived: true, read: true } : { ...item, moved };
  }
  const isSame = (other: Item) => other.no === no;
  const returned = 'returned' in marked ? marked.returned.find(isSame) : undefined;
  if (returned) return { ...returned, onTop: item.onTop, moved: place && 'inbox' };
  const corrected = 'corrected' in marked ? marked.corrected.find(isSame) : undefined;
  if (!corrected) return item;
  const { title, body, href, refusedUrl, correctedAt, correctedBy, mustConfirm } = corrected;
  return { ...item, title, body, href, refusedUrl, correctedAt, correctedBy, mustConfirm };
}

// Items back from a snooze come first, others have their place by number. The list may have its unread ones first.
function withReturned(items: Item[], returned: Item[]): Item[] {
  const others = items.filter(({ no }) => !returned.some((item) => item.no === no));
  for (const item of returned.filter((item) => !item.back)) {
    const after = others.findIndex((other) => !other.back && other.no < item.no);
    others.splice(after === -1 ? others.length : after, 0, item);
  }
  return [...returned.filter((item) => item.back), ...others];
}

/** The last 200 marks, each with its time in the database (ms). Older lists apply the newer ones; open ones follow. */
export class MarkLog {
  private marks: { marked: Marked; time: number }[] = [];
  private readonly followers = new Set<(marked: Marked) => void>();

  /** Calls back after each mark that lists must follow. Returns the function that stops it. */
  follow(follower: (marked: Marked) => void): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  tell(marked: Marked): void {
    for (const follower of this.followers) follower(marked);
  }

  /** Adds a mark and tells the lists. Without a `time` it is not stored yet. */
  begin(marked: Marked, time = Number.POSITIVE_INFINITY): void {
    this.add(marked, time);
    this.tell(marked);
  }

  /** Removes a mark that the service did not store, and shows that. */
  undo({ no, read }: Mark): void {
    this.remove(no);
    this.tell({ no, read: !read });
  }

  /** Adds a mark that was stored at `time` (ms since 1970). */
  add(marked: Marked, time: number): void {
    if ('no' in marked) this.remove(marked.no);
    this.marks = [...this.marks, { marked, time }].slice(-maxKept);
  }

  /** Applies to items, which were read at `listedAt` (ms since 1970), all marks that came later. */
  applyTo(items: Item[], listedAt: number): Item[] {
    return this.marks.reduce((now, { marked, time }) => (time > listedAt ? applyMark(now, marked) : now), items);
  }

  private remove(no: Mark['no']): void {
    this.marks = this.marks.filter(({ marked }) => !('no' in marked && marked.no === no));
  }
}
