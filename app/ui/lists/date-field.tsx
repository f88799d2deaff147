'use client';

import { TextInput, type TextInputProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';

const isFilled = ({ value, validity }: HTMLInputElement) => value !== '' || validity.badInput;

/** A field of a filter form for a day. While it is empty it says so. */
export function DateField({ defaultValue, ...input }: TextInputProps) {
  const t = useTranslations('filter');
  const field = useRef<HTMLInputElement>(null);
  const [filled, setFilled] = useState(Boolean(defaultValue));
  const look = () => setFilled(field.current !== null && isFilled(field.current));
  // A browser may have restored a value after a reload.
  useEffect(look, []);
  return (
    <TextInput
      ref={field}
      type="date"
      className="date-field"
      data-empty={!filled || undefined}
      defaultValue={defaultValue}
      onChange={look}
      onBlur={look}
      {...(!filled && {
        leftSection: (
          <span className="date-hint" aria-hidden>
            {t('any')}
          </span>
        ),
        leftSectionPointerEvents: 'none',
        leftSectionProps: { className: 'date-hint-place' },
        leftSectionWidth: 'max-content',
      })}
      {...input}
    />
  );
}
