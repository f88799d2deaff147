'use client';

import { TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RefusalQuery } from '#app/owner/audit/refused/refusal-query.ts';
import { hasFilter } from '#app/ui/lists/address.ts';
import { DateField } from '#app/ui/lists/date-field.tsx';
import { FilterSelect } from '#app/ui/lists/filter-fields.tsx';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';

type Option = { value: string; label: string };

const width = { base: '100%', xs: 205 };

/** The filter form of the refused calls. */
export function RefusalFilters({ keys, reasons, query }: { keys: Option[]; reasons: Option[]; query: RefusalQuery }) {
  const t = useTranslations('refusals');
  const noKey = { value: 'none', label: t('noKey') };
  return (
    <FilterForm key={JSON.stringify(query)} filtered={hasFilter(query)}>
      <FilterSelect name="key" label={t('key')} choices={[noKey, ...keys]} defaultValue={query.key} w={width} />
      <FilterSelect name="reason" label={t('reason')} choices={reasons} defaultValue={query.reason} w={width} />
      <DateField name="day" label={t('day')} defaultValue={query.day} w={width} />
      <TextInput name="request" label={t('request')} defaultValue={query.request} w={width} autoComplete="off" />
    </FilterForm>
  );
}
