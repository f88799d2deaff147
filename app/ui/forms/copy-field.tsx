'use client';

import { Button, Group, Text, Textarea } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';

const shownMs = 4000;

type Props = { label: string; value: string; copyLabel: string; focused?: boolean };

/** A text with a copy button, which may be `focused`. If the browser refuses the clipboard, the text is selected. */
export function CopyField({ label, value, copyLabel, focused = false }: Props) {
  const t = useTranslations('form');
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { copied, error, copy } = useClipboard({ timeout: shownMs });
  useEffect(() => {
    if (focused) button.current?.focus();
  }, [focused]);
  return (
    <div>
      <Textarea
        ref={field}
        label={label}
        value={value}
        readOnly
        autosize
        minRows={2}
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
      />
      <Group justify="flex-end" mt="xs">
        <Text size="sm" role="status" flex="1 1 200px">
          {error && t('copyRefused')}
        </Text>
        <Button
          ref={button}
          variant={copied ? 'light' : 'filled'}
          leftSection={copied ? <Check size={16} /> : <Copy size={16} />}
          onClick={() => {
            field.current?.select();
            copy(value);
          }}
        >
          <span aria-live="polite">{copied ? t('copied') : copyLabel}</span>
        </Button>
      </Group>
    </div>
  );
}
