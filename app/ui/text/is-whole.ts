import { useEffect, useEffectEvent, useState } from 'react';

/** Whether no line of the elements that `find` returns is cut off. `text` is what they show. */
export function useIsWhole(find: () => Iterable<Element>, text: string): boolean {
  const [isWhole, setIsWhole] = useState(true);
  const findNow = useEffectEvent(find);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a corrected text may have the same size
  useEffect(() => {
    const elements = [...findNow()];
    const measure = () =>
      setIsWhole(elements.every(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight + 1));
    const observer = new ResizeObserver(measure);
    for (const element of elements) observer.observe(element);
    return () => observer.disconnect();
  }, [text]);
  return isWhole;
}
