import { waitsForConfirmation } from '#app/portal/notification/waits.ts';
import { groupRepeats } from '#app/ui/lists/repeats.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

// Two rows stay two rows: they are read as quickly as one that must be opened.
const minRepeats = 3;

/**
 * Groups neighbours with one title, kind and sender, where there are three or more. What waits for
 * a confirmation and reminders stay rows of their own.
 */
export function groupItems(items: Item[]): Item[][] {
  const groups = groupRepeats(items, (item) => {
    const single = waitsForConfirmation(item) || item.remindsNo !== null;
    return JSON.stringify(single ? item.no : [item.title, item.kind, item.sender, item.byHand]);
  });
  return groups.flatMap(({ items: same }) => (same.length >= minRepeats ? [same] : same.map((item) => [item])));
}
