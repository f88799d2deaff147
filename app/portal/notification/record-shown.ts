import { useDocumentVisibility } from '@mantine/hooks';
import { type RefObject, useEffect, useRef } from 'react';
import { recordShownAction } from '#app/portal/notification/actions.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

const flushDelayMs = 500;
const maxRecorded = 100;

/** Records the items whose elements (`data-no`) were half visible. Returns their ref; `then` gets new numbers. */
export function useRecordShown<Around extends HTMLElement>(
  items: Item[] | null,
  then: (numbers: number[]) => void = () => {},
): RefObject<Around | null> {
  const list = useRef<Around>(null);
  const recorded = useRef(new Set<number>());
  const visibility = useDocumentVisibility();
  // biome-ignore lint/correctness/useExhaustiveDependencies: new items have new elements; a page shown again looks
  useEffect(() => {
    const seen = new Set<number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      const numbers = [...seen].filter((no) => !recorded.current.has(no)).slice(0, maxRecorded);
      seen.clear();
      if (numbers.length === 0) return;
      for (const no of numbers) recorded.current.add(no);
      void recordShownAction({ numbers }).catch(() => {});
      then(numbers);
    };
    const look = (entries: IntersectionObserverEntry[]) => {
      // Firefox also reports elements while the page is hidden.
      for (const { target, isIntersecting } of entries)
        if (isIntersecting && !document.hidden) seen.add(Number((target as HTMLElement).dataset.no));
      clearTimeout(timer);
      timer = setTimeout(flush, flushDelayMs);
    };
    // In a frame too, the root is the window of the page around it.
    const observer = new IntersectionObserver(look, { threshold: 0.5 });
    for (const entry of list.current?.querySelectorAll('[data-no]') ?? []) observer.observe(entry);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      flush();
    };
  }, [items, visibility]);
  return list;
}
