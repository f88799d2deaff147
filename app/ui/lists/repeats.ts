/** Groups neighbours with the same text (`sameAs`), such as six sends of one title. Keeps the order: newest first. */
export function groupRepeats<Item>(items: Item[], sameAs: (item: Item) => string): [Item, ...Item[]][] {
  const groups: [Item, ...Item[]][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && sameAs(last[0]) === sameAs(item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}
