import { Button, Group, Text, Textarea } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';

type Props = {
  label: string;
  value: string;
  copyLabel: string;
  /** Whether the button takes the focus when the field appears. */
  focused?: boolean;
};

/** A text with a copy button. If the browser refuses the clipboard, the text is selected. */
export function CopyField({ label, value, copyLabel, focused = false }: Props) {
  const t = useTranslations('form');
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [outcome, setOutcome] = useState<'copied' | 'refused'>();
  const copied = outcome === 'copied';
  useEffect(() => {
    if (focused) button.current?.focus();
  }, [focused]);
  const copy = async () => {
    field.current?.select();
    const done = await navigator.clipboard?.writeText(value).then(
      () => true,
      () => false,
    );
    setOutcome(done === true ? 'copied' : 'refused');
  };
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
          {outcome === 'refused' && t('copyRefused')}
        </Text>
        <Button
          ref={button}
          variant={copied ? 'light' : 'filled'}
          leftSection={copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
          onClick={copy}
        >
          <span aria-live="polite">{copied ? t('copied') : copyLabel}</span>
        </Button>
      </Group>
    </div>
  );
}
