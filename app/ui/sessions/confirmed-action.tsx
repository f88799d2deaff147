'use client';

import { Alert, Button, type ButtonProps } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { Dialog, useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { FormButtons } from '#app/ui/forms/form.tsx';
import { useAction } from '#app/ui/forms/use-action.ts';

export function ConfirmDialog({
  title,
  submit,
  isDestructive,
  problem,
  pending,
  onClose,
  onConfirm,
  children,
}: {
  title: ReactNode;
  submit: string;
  isDestructive?: boolean;
  problem?: string;
  pending: boolean;
  onClose: () => void;
  onConfirm: () => void;
  children: ReactNode;
}) {
  return (
    <Dialog onClose={onClose} title={title}>
      {problem && <Alert color="red">{problem}</Alert>}
      {children}
      <FormButtons {...{ submit, pending, isDestructive }} onCancel={onClose} onSubmit={onConfirm} />
    </Dialog>
  );
}

type Confirmed<Input, Value> = {
  action: (input: Input) => Promise<Result<Value>>;
  input: Input;
  sentences?: Record<string, string>;
} & Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'submit' | 'isDestructive' | 'children'>;

/**
 * A dialog that says what a form action does and runs it after a confirmation. Asks for the password
 * where the action needs it.
 */
export function ActionDialog<Input, Value>({
  action,
  input,
  sentences,
  onDone,
  onClose,
  ...confirm
}: Confirmed<Input, Value> & { onDone: (value: Value) => void; onClose: () => void }) {
  const { run, pending, problems } = useAction(action, onDone, sentences);
  return (
    <ConfirmDialog
      {...confirm}
      problem={problems.form}
      pending={pending}
      onClose={onClose}
      onConfirm={() => void run(input)}
    />
  );
}

/**
 * A button that opens an `ActionDialog`. The page refreshes when the dialog closes; with `onDone`,
 * that follows the action instead. The button says what the dialog's does, and `label` about what;
 * `look` are its properties, or `button` makes it.
 */
export function ConfirmedAction<Input, Value>({
  button,
  label,
  look,
  onDone,
  ...confirmed
}: Confirmed<Input, Value> & {
  button?: (ask: () => void) => ReactNode;
  label?: string;
  look?: ButtonProps;
  onDone?: (value: Value) => void;
}) {
  const [asking, ask, close] = useOpenDialog<true>();
  return (
    <>
      {button?.(() => ask(true)) ?? (
        <Button
          variant="default"
          style={{ alignSelf: 'flex-start' }}
          aria-label={label}
          {...look}
          onClick={() => ask(true)}
        >
          {confirmed.submit}
        </Button>
      )}
      {asking && <ActionDialog {...confirmed} onDone={onDone ?? close} onClose={close} />}
    </>
  );
}
