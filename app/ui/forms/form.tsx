'use client';

import { Alert, Button, Group, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { type ComponentProps, use } from 'react';
import { FormProblems, type Problems, readForm } from '#app/ui/forms/form-values.ts';

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & {
  problems: Problems;
  onSubmit: (fields: Record<string, string>) => void;
};

/** A form that passes its fields as texts, with the problem of the whole form above them. */
export function Form({ problems, onSubmit, children, ...form }: FormProps) {
  return (
    <form
      {...form}
      onSubmit={(event) => {
        event.preventDefault();
        // React bubbles the events of a dialog to the form that opened it.
        event.stopPropagation();
        onSubmit(readForm(event.currentTarget));
      }}
      noValidate
    >
      <Stack>
        {problems.form && <Alert color="red">{problems.form}</Alert>}
        <FormProblems value={problems}>{children}</FormProblems>
      </Stack>
    </form>
  );
}

export function TextField({ required = true, ...field }: TextInputProps & { name: string }) {
  return <TextInput error={use(FormProblems)[field.name]} autoComplete="off" required={required} {...field} />;
}

type ButtonsProps = {
  submit: string;
  pending: boolean;
  isDestructive?: boolean;
  isQuestion?: boolean;
  onCancel: () => void;
  /** What the button does; without it, it submits the form around. */
  onSubmit?: () => void;
};

/** The buttons of a dialog. Where it only asks, or takes something away, "cancel" has the focus. */
export function FormButtons({ submit, pending, isDestructive, isQuestion, onCancel, onSubmit }: ButtonsProps) {
  const t = useTranslations('form');
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} data-autofocus={isDestructive || isQuestion || undefined}>
        {t('cancel')}
      </Button>
      <Button
        type={onSubmit ? 'button' : 'submit'}
        color={isDestructive ? 'red' : undefined}
        loading={pending}
        onClick={onSubmit}
      >
        {submit}
      </Button>
    </Group>
  );
}
