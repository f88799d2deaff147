'use client';

import { Textarea, type TextareaProps } from '@mantine/core';
import { use } from 'react';
import { FormProblems } from '#app/ui/forms/form-values.ts';

/** A field for a text of several lines. */
export function LongTextField(field: TextareaProps & { name: string }) {
  return <Textarea error={use(FormProblems)[field.name]} autosize {...field} />;
}
