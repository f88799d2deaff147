'use client';

import { Text, UnstyledButton } from '@mantine/core';
import { EyeOff } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { Item } from '#server/inbox/inbox-item.ts';
import { privateKinds } from '#server/notifications/kinds.ts';

/** The text of a notification. With `hidden`, a button hides the text of a private kind. */
export function PrivateBody({
  item,
  hidden,
  lines,
  onOpen,
}: {
  item: Item;
  hidden: boolean;
  lines?: number;
  onOpen?: () => void;
}) {
  const t = useTranslations('inbox');
  const [opened, setOpened] = useState(false);
  if (hidden && !opened && privateKinds.includes(item.kind))
    return (
      <UnstyledButton
        className="private-body"
        onClick={() => {
          setOpened(true);
          onOpen?.();
        }}
      >
        <EyeOff aria-hidden size={16} />
        {t('hidden')}
      </UnstyledButton>
    );
  return (
    <Text
      component="p"
      tabIndex={-1}
      // The button that had the focus was removed, so the text takes the focus.
      ref={(text: HTMLElement | null) => {
        if (opened && document.activeElement === document.body) text?.focus();
      }}
      dir="auto"
      size="sm"
      m={0}
      mt={2}
      className="multiline wrapping"
      lineClamp={lines}
    >
      {item.body}
    </Text>
  );
}
