'use client';

import { useEffect, useRef } from 'react';
import { recordShownAction } from '#app/portal/notification/actions.ts';
import type { Item } from '#server/inbox/inbox-item.ts';

const flushDelayMs = 500;
const maxRecorded = 100;

/**
 * Records which items the employee has seen: those that were at least half visible. Returns the ref
 * for the element around the list.
 */
export function useRecordShown(items: Item[]) {
  const list = useRef<HTMLDivElement>(null);
  const recorded = useRef(new Set<number>());
  // biome-ignore lint/correctness/useExhaustiveDependencies: new items are new elements to watch
  useEffect(() => {
    const seen = new Set<number>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const flush = () => {
      const numbers = [...seen].filter((no) => !recorded.current.has(no)).slice(0, maxRecorded);
      for (const no of numbers) recorded.current.add(no);
      seen.clear();
      if (numbers.length > 0) void recordShownAction({ numbers }).catch(() => {});
    };
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting && !document.hidden) seen.add(Number((target as HTMLElement).dataset.no));
        clearTimeout(timer);
        timer = setTimeout(flush, flushDelayMs);
      },
      { threshold: 0.5 },
    );
    for (const entry of list.current?.querySelectorAll('[data-no]') ?? []) observer.observe(entry);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
      flush();
    };
  }, [items]);
  return list;
}
