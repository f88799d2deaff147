import { NativeSelect, type NativeSelectProps, TextInput, type TextInputProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { Ref } from 'react';
import { maxSearchLength } from '#app/ui/lists/address.ts';

/** A field of a filter form with several choices. Without a choice it filters nothing. */
export function FilterSelect({
  choices,
  ...select
}: Omit<NativeSelectProps, 'data'> & { choices: NonNullable<NativeSelectProps['data']> }) {
  const t = useTranslations('filter');
  return <NativeSelect data={[{ value: '', label: t('any') }, ...choices]} {...select} />;
}

/** A field of a filter form with words to search for. */
export function FilterSearch(input: TextInputProps & { ref?: Ref<HTMLInputElement> }) {
  return <TextInput type="search" name="search" maxLength={maxSearchLength} {...input} />;
}
