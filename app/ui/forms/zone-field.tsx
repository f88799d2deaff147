'use client';

import { NativeSelect, type NativeSelectProps } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { use } from 'react';
import { FormProblems } from '#app/ui/forms/form-values.ts';

const indonesian = [
  { value: 'Asia/Jakarta', label: 'WIB (Jakarta)' },
  { value: 'Asia/Makassar', label: 'WITA (Makassar)' },
  { value: 'Asia/Jayapura', label: 'WIT (Jayapura)' },
];

/** A choice of a time zone: Indonesia's three by their usual names, then all others. */
export function ZoneField({ zones, ...field }: NativeSelectProps & { name: string; zones: string[] }) {
  const t = useTranslations('setup');
  const others = zones.filter((name) => !indonesian.some(({ value }) => value === name));
  const groups = [
    { group: t('indonesia'), items: indonesian },
    { group: t('elsewhere'), items: others },
  ];
  return <NativeSelect label={t('timeZone')} error={use(FormProblems)[field.name]} {...field} data={groups} />;
}
