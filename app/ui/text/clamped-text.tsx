'use client';

import { Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { useIsWhole } from '#app/ui/text/is-whole.ts';
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
