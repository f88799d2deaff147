'use client';

import { NativeSelect, TextInput } from '@mantine/core';
import { useTranslations } from 'next-intl';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';

/** Something that can be chosen, by the value it has in the address. */
export type Choice = { value: string; label: string };

/** Which refused calls are shown; each field starts with what stands in the address. */
export function RefusalFilters({
  keys,
  reasons,
  chosen,
}: {
  keys: Choice[];
  reasons: Choice[];
  chosen: { key: string; reason: string; day: string; request: string };
}) {
  const t = useTranslations('refusals');
  const filter = useTranslations('filter');
  const any = { value: '', label: filter('any') };
  const noKey = { value: 'none', label: t('noKey') };
  const width = { base: '100%', xs: 205 };
  return (
    <FilterForm key={JSON.stringify(chosen)} filtered={Object.values(chosen).some(Boolean)}>
      <NativeSelect name="key" label={t('key')} data={[any, noKey, ...keys]} defaultValue={chosen.key} w={width} />
      <NativeSelect name="reason" label={t('reason')} data={[any, ...reasons]} defaultValue={chosen.reason} w={width} />
      <TextInput name="day" type="date" label={t('day')} defaultValue={chosen.day} w={width} />
      <TextInput name="request" label={t('request')} defaultValue={chosen.request} w={width} autoComplete="off" />
    </FilterForm>
  );
}
