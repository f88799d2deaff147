import { getTranslations } from 'next-intl/server';
import type { AuditQuery } from '#app/owner/audit/audit-query.ts';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { listAuditNames } from '#server/audit/filter.ts';
import { auditActions } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

/** The filters of the audit log. */
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
    <FilterBar
      search={{ name: 'employee', label: t('employee'), placeholder: t('searchHint'), value: query.employee }}
      filters={[
        { type: 'select', name: 'who', label: t('who'), value: query.who, choices: who },
        { type: 'select', name: 'action', label: t('what'), value: query.action, choices: actions },
        {
          type: 'select',
          name: 'key',
          label: t('aboutKey'),
          value: query.key,
          choices: keyNames.map(({ id, label }) => ({ value: String(id), label })),
        },
        { type: 'select', name: 'result', label: t('result'), value: query.result, choices: results },
        { type: 'days', label: t('day'), value: { days: query.days, from: query.from, to: query.to } },
        ...(query.request === undefined
          ? []
          : [{ type: 'text' as const, name: 'request', label: t('request'), value: query.request }]),
      ]}
    />
  );
}
