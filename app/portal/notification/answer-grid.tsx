import { Box, Button } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { withoutMarks } from '#app/ui/text/text-marks.ts';

type Props = {
  answers: string[];
  /** The title of the message, for screen readers. */
  title: string;
  /** The place of the answer that was given, or that is being stored, from 1 on. */
  given?: number | null;
  pending?: number | null;
  disabled?: boolean;
  onPress?: (place: number) => void;
};

/** The answers of a message as buttons of one size, as wide as the longest needs. */
export function AnswerGrid({ answers, title, given, pending = null, disabled, onPress }: Props) {
  const t = useTranslations('mustRead');
  const longest = Math.max(...answers.map(({ length }) => length));
  const columns = `repeat(auto-fill, minmax(min(100%, max(7rem, ${longest}ch + 2.5rem)), 1fr))`;
  const takeFocus = (button: HTMLButtonElement | null) => {
    if (document.activeElement === document.body) button?.focus({ preventScroll: true });
  };
  return (
    <Box
      role="group"
      aria-label={t('chooseNamed', { title: withoutMarks(title) })}
      style={{ display: 'grid', gap: 8, gridTemplateColumns: columns }}
    >
      {answers.map((answer, index) => (
        <Button
          // biome-ignore lint/suspicious/noArrayIndexKey: while somebody writes them, two may be equal
          key={index}
          size="sm"
          className="settle"
          variant={index + 1 === given ? 'filled' : 'light'}
          aria-pressed={given ? index + 1 === given : undefined}
          // In place of the button that asked to change it.
          ref={index + 1 === given ? takeFocus : undefined}
          loading={index + 1 === pending}
          disabled={disabled || pending !== null}
          onClick={() => onPress?.(index + 1)}
        >
          <bdi>{answer}</bdi>
        </Button>
      ))}
    </Box>
  );
}
