import { NativeSelect, TextInput } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { type AuditSearch, auditAddress } from '#app/owner/audit/read-filter.ts';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';
import { listAuditNames } from '#server/audit/filter.ts';
import { auditActions } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/** The filters of the audit log. */
export async function AuditFilters({ owner, search }: { owner: Owner; search: AuditSearch }) {
  const t = await getTranslations('audit');
  const any = { value: '', label: (await getTranslations('filter'))('any') };
  const person = /^person-(\d+)$/.exec(search.who ?? '')?.[1];
  const { keys, people } = await listAuditNames(owner, person === undefined ? undefined : Number(person));
  const keyNames = keys.map(({ id, name, revoked }) => ({ id, label: revoked ? t('revokedKey', { name }) : name }));
  const who = [
    any,
    ...(['key', 'person', 'system'] as const).map((value) => ({ value, label: t(`by.${value}`) })),
    { group: t('people'), items: people.map(({ id, name }) => ({ value: `person-${id}`, label: name })) },
    { group: t('keys'), items: keyNames.map(({ id, label }) => ({ value: `key-${id}`, label })) },
  ].filter((one) => !('items' in one) || one.items.length > 0);
  const actions = [
    any,
    { value: 'change', label: t('action.change') },
    ...auditActions.map((value) => ({ value, label: t(`action.${value}`) })),
  ];
  const results = [any, { value: 'reached', label: t('reached') }, { value: 'nobody', label: t('nobody') }];
  return (
    <FilterForm key={auditAddress(search)} filtered={auditAddress(search, { before: undefined }) !== '/owner/audit'}>
      <NativeSelect
        name="who"
        label={t('who')}
        data={who}
        defaultValue={search.who ?? ''}
        w={{ base: 'calc(50% - 6px)', sm: 190 }}
      />
      <NativeSelect
        name="action"
        label={t('what')}
        data={actions}
        defaultValue={search.action ?? ''}
        w={{ base: 'calc(50% - 6px)', sm: 220 }}
      />
      <NativeSelect
        name="key"
        label={t('aboutKey')}
        data={[any, ...keyNames.map(({ id, label }) => ({ value: String(id), label }))]}
        defaultValue={search.key ?? ''}
        w={{ base: 'calc(50% - 6px)', sm: 190 }}
      />
      <TextInput
        name="employee"
        label={t('employee')}
        placeholder={t('employeeHint')}
        defaultValue={search.employee ?? ''}
        w={{ base: 'calc(50% - 6px)', sm: 190 }}
      />
      <NativeSelect
        name="result"
        label={t('result')}
        data={results}
        defaultValue={search.result ?? ''}
        w={{ base: 'calc(50% - 6px)', sm: 190 }}
      />
      <TextInput
        type="date"
        name="from"
        label={t('from')}
        defaultValue={search.from ?? ''}
        w={{ base: 'calc(50% - 6px)', sm: 160 }}
      />
      <TextInput
        type="date"
        name="to"
        label={t('to')}
        defaultValue={search.to ?? ''}
        w={{ base: 'calc(50% - 6px)', sm: 160 }}
      />
      <TextInput
        name="request"
        label={t('request')}
        defaultValue={search.request ?? ''}
        w={{ base: 'calc(50% - 6px)', sm: 220 }}
        spellCheck={false}
      />
    </FilterForm>
  );
}
