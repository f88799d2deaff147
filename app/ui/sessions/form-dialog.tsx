'use client';

import { ActionIcon, Button, type ButtonProps, type ModalProps, Text } from '@mantine/core';
import type { LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { Dialog, useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import type { Result } from '#app/ui/forms/fields.ts';
import { Form, FormButtons } from '#app/ui/forms/form.tsx';
import { type Sentences, useAction } from '#app/ui/forms/use-action.ts';

type FormProps<Value> = Omit<ModalProps, 'opened' | 'title'> & {
  title: ReactNode | ((result?: Value) => ReactNode);
  /** The text of the button that submits; without it, "Save". */
  submit?: string;
  isDestructive?: boolean;
  /** It only asks, so "cancel" has the focus. */
  isQuestion?: boolean;
  /** Takes the fields of the form by their names, each as a text. */
  action: (fields: Record<string, string>) => Promise<Result<Value>>;
  sentences?: Sentences;
  /** Gets the result; without it, the dialog closes. */
  onDone?: (value: Value) => void;
  /** Draws the result, shown once in place of the form until `close`. A click outside closes nothing then. */
  result?: (value: Value, close: () => void) => ReactNode;
};

/** A dialog with a form. Its children are the fields, and what stands between them. */
export function FormDialog<Value>(props: FormProps<Value>) {
  const { title, submit, isDestructive, isQuestion, action, sentences, onDone, result, children, ...dialog } = props;
  const t = useTranslations('form');
  const [value, setValue] = useState<Value>();
  const { run, pending, problems } = useAction(action, result ? setValue : (onDone ?? dialog.onClose), sentences);
  const close = () => (onDone && value !== undefined ? onDone(value) : dialog.onClose());
  const buttons = { submit: submit ?? t('save'), pending, isDestructive, isQuestion };
  return (
    <Dialog
      {...(result && { size: 'lg', closeOnClickOutside: false })}
      {...dialog}
      title={typeof title === 'function' ? title(value) : title}
      onClose={close}
    >
      {result && value !== undefined ? (
        result(value, close)
      ) : (
        <Form problems={problems} onSubmit={(fields) => void run(fields)}>
          {children}
          <FormButtons {...buttons} onCancel={dialog.onClose} />
        </Form>
      )}
    </Dialog>
  );
}

type ActionProps<Input, Value> = Pick<
  FormProps<Value>,
  'title' | 'submit' | 'isDestructive' | 'sentences' | 'children' | 'onDone' | 'result'
> & { action: (input: Input) => Promise<Result<Value>>; input: Input; text?: string };

/** A dialog that says what a form action does, as `text` or by its children, and runs it after a confirmation. */
export function ActionDialog<Input, Value>(props: ActionProps<Input, Value> & { onClose: () => void }) {
  const { action, input, text, children, ...dialog } = props;
  return (
    <FormDialog {...dialog} isQuestion action={() => action(input)}>
      {text && <Text>{text}</Text>}
      {children}
    </FormDialog>
  );
}

type OpeningProps = Omit<ButtonProps, 'children'> & {
  icon: LucideIcon;
  text: string;
  children: (close: () => void) => ReactNode;
};

/** A button that opens a dialog, its child. The page refreshes when the dialog closes. */
export function DialogButton({ icon: Icon, text, children, ...button }: OpeningProps) {
  const [opened, open, close] = useOpenDialog<true>();
  return (
    <>
      <Button leftSection={<Icon />} onClick={() => open(true)} {...button}>
        {text}
      </Button>
      {opened && children(close)}
    </>
  );
}

type ConfirmedProps<Input, Value> = ActionProps<Input, Value> & {
  icon?: ReactNode;
  words?: string;
  /** The full name of the button for screen readers. */
  label?: string;
  look?: ButtonProps;
  leadsTo?: string;
};

/** A button (`words`, `submit` or `icon`) with a dialog, red by default; then `leadsTo` opens or the page refreshes. */
export function ConfirmedAction<Input, Value>(props: ConfirmedProps<Input, Value>) {
  const { icon, words, label, look, leadsTo, isDestructive = true, onDone, ...confirmed } = props;
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
      {asking && <ActionDialog {...confirmed} isDestructive={isDestructive} onDone={done} onClose={close} />}
    </>
  );
}
