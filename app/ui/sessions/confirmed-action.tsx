'use client';

import { ActionIcon, Alert, Button, type ButtonProps } from '@mantine/core';
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
 * A button that opens an `ActionDialog`. The page refreshes when the dialog closes; after the action
 * `onDone` is called, and with `leadsTo` that page opens. The button has the words of
 * the dialog's unless it has own `words`, and `label` says about what; `look` are its properties.
 * With an `icon` it shows no words.
 */
export function ConfirmedAction<Input, Value>({
  icon,
  words,
  label,
  look,
  leadsTo,
  onDone,
  ...confirmed
}: Confirmed<Input, Value> & {
  icon?: ReactNode;
  words?: string;
  label?: string;
  look?: ButtonProps;
  leadsTo?: string;
  onDone?: (value: Value) => void;
}) {
  const [asking, ask, close] = useOpenDialog<true>();
  const button = { 'aria-label': label, onClick: () => ask(true) };
  const done = (value: Value) => {
    if (leadsTo !== undefined) return location.assign(leadsTo);
    close();
    onDone?.(value);
  };
  return (
    <>
      {icon ? (
        <ActionIcon variant="subtle" color="gray" {...button}>
          {icon}
        </ActionIcon>
      ) : (
        <Button variant="default" style={{ alignSelf: 'flex-start' }} {...look} {...button}>
          {words ?? confirmed.submit}
        </Button>
      )}
      {asking && <ActionDialog {...confirmed} onDone={done} onClose={close} />}
    </>
  );
}
