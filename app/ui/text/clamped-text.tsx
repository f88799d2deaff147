'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { MarkedText } from '#app/ui/text/marked-text.tsx';

/** The text of a message in two lines; a press shows the rest of a longer one. Paper has it whole. */
export function ClampedText({ children }: { children: string }) {
  const t = useTranslations('sends');
  const place = useRef<HTMLParagraphElement>(null);
  const [opened, setOpened] = useState(false);
  const isWhole = useIsWhole(() => (place.current ? [place.current] : []), children);
  return (
    <>
      <Text
        ref={place}
        className="multiline wrapping clamped"
        maw="68ch"
        m={0}
        dir="auto"
        lineClamp={opened ? undefined : 2}
      >
        <MarkedText text={children} />
      </Text>
      {!isWhole && !opened && (
        <button type="button" className="text-button" onClick={() => setOpened(true)}>
          {t('wholeText')}
        </button>
      )}
    </>
  );
}

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
