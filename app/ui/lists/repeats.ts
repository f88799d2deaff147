/** Neighbours of a list that say the same: the first of them is the newest. */
export type Repeats<Item> = { key: string; items: [Item, ...Item[]] };

/**
 * Groups neighbours of a list with the same text, for example six sends of one title by one key.
 * Keeps the order. `sameAs` makes the text that is compared.
 */
export function groupRepeats<Item>(items: Item[], sameAs: (item: Item) => string): Repeats<Item>[] {
  const groups: Repeats<Item>[] = [];
  for (const item of items) {
    const key = sameAs(item);
    const last = groups.at(-1);
    if (last?.key === key) last.items.push(item);
    else groups.push({ key, items: [item] });
  }
  return groups;
}
