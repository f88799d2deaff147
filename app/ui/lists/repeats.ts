/** Neighbours of a list that say the same: the first of them is the newest. */
export type Repeats<Item> = { key: string; items: [Item, ...Item[]] };

/** Groups neighbours with the same text (`sameAs`), such as six sends of one title. Keeps the order. */
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
