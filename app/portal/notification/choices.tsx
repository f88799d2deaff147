import { Button } from '@mantine/core';
import { withoutMarks } from '#server/notifications/text-marks.ts';

type Props = {
  choices: string[];
  title: string;
  /** The place of the choice that was made, or that is being stored, from 1 on. */
  given?: number | null;
  pending?: number | null;
  disabled?: boolean;
  onChoose?: (place: number) => void;
};

/** The answers to the message `title`, or its confirmation, as buttons of one size, as wide as the longest needs. */
export function Choices({ choices, title, given, pending = null, disabled, onChoose }: Props) {
  const isOne = choices.length === 1;
  const width = `min(100%, max(7rem, ${Math.max(...choices.map(({ length }) => length))}ch + 2.5rem))`;
  const columns = `repeat(auto-fill, minmax(${width}, ${isOne ? 'max-content' : '1fr'}))`;
  return (
    <div style={{ display: 'grid', gap: 8, gridTemplateColumns: columns }}>
      {choices.map((choice, index) => (
        <Button
          // biome-ignore lint/suspicious/noArrayIndexKey: while somebody writes them, two may be equal
          key={index}
          className="settle"
          variant={isOne || index + 1 === given ? 'filled' : 'light'}
          aria-label={`${choice}: ${withoutMarks(title)}`}
          aria-pressed={given ? index + 1 === given : undefined}
          // In place of the button that asked to change it.
          ref={index + 1 === given ? takeFocus : undefined}
          loading={index + 1 === pending}
          // The pressed one keeps the focus.
          disabled={disabled || (pending !== null && pending !== index + 1)}
          onClick={() => onChoose?.(index + 1)}
        >
          <bdi>{choice}</bdi>
        </Button>
      ))}
    </div>
  );
}

/** Focuses a button if the one that had the focus was removed, or lies in a panel of its row, which closes. */
export function takeFocus(button: HTMLButtonElement | null): void {
  const { activeElement } = document;
  if (activeElement === document.body || activeElement?.closest('.row-panel')) button?.focus({ preventScroll: true });
}
