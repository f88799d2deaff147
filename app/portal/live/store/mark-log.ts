import type { Mark, Marked } from '#app/portal/live/feed/channel.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

const maxKept = 200;

export function applyMark(items: Item[], marked: Marked): Item[] {
  if ('no' in marked)
    return items.map((one) =>
      one.no === marked.no ? { ...one, read: marked.read, back: one.back && !marked.read } : one,
    );
  if ('upTo' in marked) return items.map((one) => (one.no <= marked.upTo ? { ...one, read: true } : one));
  if ('corrected' in marked)
    return items.map((one) => {
      const text = marked.corrected.find(({ no }) => no === one.no);
      if (!text) return one;
      const { title, body, href, refusedUrl, correctedAt } = text;
      return { ...one, title, body, href, refusedUrl, correctedAt };
    });
  if ('withdrawn' in marked) return items.filter(({ no }) => !marked.withdrawn.includes(no));
  if ('confirmed' in marked)
    return items.map((one) =>
      (one.remindsNo ?? one.no) === marked.confirmed ? { ...one, confirmedAt: marked.at, read: true } : one,
    );
  if ('moved' in marked) return items.filter(({ no }) => !marked.moved.includes(no));
  if ('returned' in marked) return withReturned(items, marked.returned);
  return items.map((one) => (marked.unreadAgain.includes(one.no) ? { ...one, read: false } : one));
}

// What came back from a snooze is first. Everything else has its place by number; the others keep
// their order, which may have unread ones first.
function withReturned(items: Item[], returned: Item[]): Item[] {
  const others = items.filter(({ no }) => !returned.some((one) => one.no === no));
  for (const item of returned.filter((one) => !one.back)) {
    const after = others.findIndex((one) => !one.back && one.no < item.no);
    others.splice(after === -1 ? others.length : after, 0, item);
  }
  return [...returned.filter((one) => one.back), ...others];
}

/**
 * The last 200 marks of a page, with the time of the database at which each was stored. The service
 * may render a list before a mark is stored, and the browser shows an old list after "back". Such a
 * list applies the marks that are newer than itself. Lists that are open follow each mark.
 */
export class MarkLog {
  private marks: { marked: Marked; at: number }[] = [];
  private readonly followers = new Set<(marked: Marked) => void>();

  /** Calls back after each mark that lists must follow. Returns the function that stops it. */
  follow(follower: (marked: Marked) => void): () => void {
    this.followers.add(follower);
    return () => this.followers.delete(follower);
  }

  tell(marked: Marked): void {
    for (const follower of this.followers) follower(marked);
  }

  begin(marked: Marked): void {
    this.add(marked, Number.POSITIVE_INFINITY);
    this.tell(marked);
  }

  /** Removes a mark that the service did not store, and shows that. */
  undo({ no, read }: Mark): void {
    this.remove(no);
    this.tell({ no, read: !read });
  }

  /** Adds a mark that was stored at `at` (ms since 1970). */
  add(marked: Marked, at: number): void {
    if ('no' in marked) this.remove(marked.no);
    this.marks = [...this.marks, { marked, at }].slice(-maxKept);
  }

  /** Applies to items, which were read at `listedAt` (ms since 1970), all marks that came later. */
  applyTo(items: Item[], listedAt: number): Item[] {
    return this.marks.reduce((now, { marked, at }) => (at > listedAt ? applyMark(now, marked) : now), items);
  }
  private remove(no: Mark['no']): void {
    this.marks = this.marks.filter(({ marked }) => !('no' in marked && marked.no === no));
  }
}
