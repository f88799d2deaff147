'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import type { RefusalQuery } from '#app/owner/audit/refused/refusal-query.ts';
import { hasFilter } from '#app/ui/lists/address.ts';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';

type Option = { value: string; label: string };

const width = { base: '100%', xs: 205 };

/** The filter form of the refused calls. */
export function RefusalFilters({ keys, reasons, query }: { keys: Option[]; reasons: Option[]; query: RefusalQuery }) {
  const t = useTranslations('refusals');
  const filter = useTranslations('filter');
  const any = { value: '', label: filter('any') };
  const noKey = { value: 'none', label: t('noKey') };
  return (
    <FilterForm key={JSON.stringify(query)} filtered={hasFilter(query)}>
      <NativeSelect name="key" label={t('key')} data={[any, noKey, ...keys]} defaultValue={query.key} w={width} />
      <NativeSelect name="reason" label={t('reason')} data={[any, ...reasons]} defaultValue={query.reason} w={width} />
      <TextInput name="day" type="date" label={t('day')} defaultValue={query.day} w={width} />
      <TextInput name="request" label={t('request')} defaultValue={query.request} w={width} autoComplete="off" />
    </FilterForm>
  );
}
