import { TextInput } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import type { AuditQuery } from '#app/owner/audit/audit-query.ts';
import { hasFilter } from '#app/ui/lists/address.ts';
import { DateField } from '#app/ui/lists/date-field.tsx';
import { FilterSelect } from '#app/ui/lists/filter-fields.tsx';
import { FilterForm } from '#app/ui/lists/filter-form.tsx';
import { listAuditNames } from '#server/audit/filter.ts';
import { auditActions } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

const widthOf = (sm: number) => ({ base: 'calc(50% - 6px)', sm });

/** The filter form of the audit log. */
export async function AuditFilters({ owner, query }: { owner: Owner; query: AuditQuery }) {
  const t = await getTranslations('audit');
  const person = /^person-(\d+)$/.exec(query.who ?? '')?.[1];
  const { keys, people } = await listAuditNames(owner, person === undefined ? undefined : Number(person));
  const keyNames = keys.map(({ id, name, revoked }) => ({ id, label: revoked ? t('revokedKey', { name }) : name }));
  const who = [
    ...(['key', 'person', 'system', 'operator'] as const).map((value) => ({ value, label: t(`by.${value}`) })),
    { group: t('people'), items: people.map(({ id, name }) => ({ value: `person-${id}`, label: name })) },
    { group: t('keys'), items: keyNames.map(({ id, label }) => ({ value: `key-${id}`, label })) },
  ].filter((one) => !('items' in one) || one.items.length > 0);
  const actions = [
    { value: 'change', label: t('action.change') },
    ...auditActions.map((value) => ({ value, label: t(`action.${value}`) })),
  ];
  const results = [
    { value: 'reached', label: t('reached') },
    { value: 'nobody', label: t('nobody') },
  ];
  return (
    <FilterForm key={JSON.stringify(query)} filtered={hasFilter(query)}>
      <FilterSelect name="who" label={t('who')} choices={who} defaultValue={query.who} w={widthOf(190)} />
      <FilterSelect name="action" label={t('what')} choices={actions} defaultValue={query.action} w={widthOf(220)} />
      <FilterSelect
        name="key"
        label={t('aboutKey')}
        choices={keyNames.map(({ id, label }) => ({ value: String(id), label }))}
        defaultValue={query.key}
        w={widthOf(190)}
      />
      <TextInput
        name="employee"
        label={t('employee')}
        placeholder={t('employeeHint')}
        defaultValue={query.employee}
        w={widthOf(190)}
      />
      <FilterSelect name="result" label={t('result')} choices={results} defaultValue={query.result} w={widthOf(190)} />
      <DateField name="from" label={t('from')} defaultValue={query.from} w={widthOf(160)} />
      <DateField name="to" label={t('to')} defaultValue={query.to} w={widthOf(160)} />
      <TextInput name="request" label={t('request')} defaultValue={query.request} w={widthOf(220)} spellCheck={false} />
    </FilterForm>
  );
}
