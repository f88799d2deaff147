import { Text } from '@mantine/core';
import { ScrollText } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { type AuditQuery, asAuditFilter, auditQuery, requestOf } from '#app/owner/audit/audit-query.ts';
import { type AuditDescriber, makeDescriber } from '#app/owner/audit/describe.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { CsvLink, EmptyState, ListFoot } from '#app/ui/lists/list-parts.tsx';
import { RowsPlace } from '#app/ui/lists/list-place.tsx';
import { addressOf, hasFilter, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { Cell, ListRow, ListTable, Note, RepeatRows, RowLink } from '#app/ui/lists/list-table.tsx';
import { RepeatToggle } from '#app/ui/lists/repeat-group.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { Timestamp } from '#app/ui/text/timestamp.tsx';
import { requireOwner } from '#server/accounts/sign-in/require.ts';
import { type AuditEntry, listAudit, listAuditNames } from '#server/audit/list.ts';
import { auditActions } from '#server/audit/record.ts';
import type { Owner } from '#server/principals.ts';

export const generateMetadata = titled('audit', 'title');

const path = '/owner/audit';

export default async function Audit({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const query = readQuery(auditQuery, await searchParams);
  const owner = await requireOwner(addressOf(path, query));
  const t = await getTranslations('audit');
  return (
    <>
      <PageHead compact title={t('title')}>
        <CsvLink href={addressOf(`${path}/csv`, { ...query, before: undefined })} />
      </PageHead>
      <AuditFilters owner={owner} query={query} />
      <Suspense fallback={<RowsPlace rows={12} height={46} />}>
        <Entries owner={owner} query={query} />
      </Suspense>
    </>
  );
}

async function Entries({ owner, query: { before, ...query } }: { owner: Owner; query: AuditQuery }) {
  const t = await getTranslations('audit');
  const request = requestOf(query);
  const isWhole = before === undefined && !hasFilter(query);
  const icon = <ScrollText size={32} />;
  const { entries, next, searchedTo } = await listAudit(owner, { before, filter: await asAuditFilter(owner, query) });
  const describe = await makeDescriber();
  const columns = [
    { name: t('time'), width: '7.75rem' },
    { name: t('who'), width: 'minmax(0, 1fr)' },
    { name: t('what'), width: 'minmax(0, 2.6fr)' },
    { name: t('reach'), width: '9.375rem' },
  ];
  return (
    <>
      {entries.length > 0 && (
        <ListTable label={t('title')} columns={columns}>
          <RepeatRows
            items={entries}
            sameAs={sameEntry}
            row={(same, nested) => <EntryRow key={same[0].id} entries={same} describe={describe} nested={nested} />}
          />
        </ListTable>
      )}
      {entries.length === 0 && request && (
        <EmptyState icon={icon} title={t('noRequest')} text={t('notFound')}>
          <TextLink href={addressOf(`${path}/refused`, { request })}>{t('searchRefused')}</TextLink>
        </EmptyState>
      )}
      {entries.length === 0 && !request && (
        <EmptyState icon={icon} title={t('empty')} text={t('emptyText')} isFiltered={!isWhole} />
      )}
      {searchedTo && (
        <Text c="dimmed" mt="md">
          {t.rich('searchedTo', { when: () => <Timestamp at={searchedTo} /> })}
        </Text>
      )}
      <ListFoot
        rowCount={entries.length}
        first={before !== undefined && addressOf(path, query)}
        next={next !== null && addressOf(path, { ...query, before: next })}
        nextText={searchedTo ? t('searchOn') : undefined}
      >
        <span>{t('lead')}</span>
      </ListFoot>
    </>
  );
}

async function AuditFilters({ owner, query }: { owner: Owner; query: AuditQuery }) {
  const t = await getTranslations('audit');
  const person = /^person-(\d+)$/.exec(query.who ?? '')?.[1];
  const { keys, people } = await listAuditNames(owner, person === undefined ? undefined : Number(person));
  const keyChoices = keys.map(({ id, name, revoked }) => ({
    value: String(id),
    label: revoked ? t('revokedKey', { name }) : name,
  }));
  const who = [
    ...(['key', 'person', 'system', 'operator'] as const).map((value) => ({ value, label: t(`by.${value}`) })),
    { group: t('people'), items: people.map(({ id, name }) => ({ value: `person-${id}`, label: name })) },
    { group: t('keys'), items: keyChoices.map(({ value, label }) => ({ value: `key-${value}`, label })) },
  ].filter((choice) => !('items' in choice) || choice.items.length > 0);
  const actions = [
    { value: 'change', label: t('action.change') },
    ...auditActions.map((value) => ({ value, label: t(`action.${value}`) })),
  ];
  const results = (['reached', 'nobody'] as const).map((value) => ({ value, label: t(value) }));
  return (
    <FilterBar
      search={{ name: 'employee', label: t('employee'), placeholder: t('searchHint'), value: query.employee }}
      filters={[
        { type: 'select', name: 'who', label: t('who'), value: query.who, choices: who },
        { type: 'select', name: 'action', label: t('what'), value: query.action, choices: actions },
        { type: 'select', name: 'key', label: t('aboutKey'), value: query.key, choices: keyChoices },
        { type: 'select', name: 'result', label: t('result'), value: query.result, choices: results },
        { type: 'days', label: t('day'), value: { days: query.days, from: query.from, to: query.to } },
      ]}
    />
  );
}

// Sends of one title by one sender, and changes of one request, are behind one row.
const sameEntry = ({ action, actorKind, actorId, actorName, details, requestId }: AuditEntry): string =>
  JSON.stringify([
    ...[action, actorKind, actorId, actorName],
    action === 'notification.send' ? [details.title, details.reach === 0] : requestId,
  ]);

type RowProps = { entries: [AuditEntry, ...AuditEntry[]]; describe: AuditDescriber; nested?: boolean };

async function EntryRow({ entries, describe, nested }: RowProps) {
  const t = await getTranslations('audit');
  const [entry] = entries;
  const { id, at, action, details } = entry;
  const { reach } = details;
  const nobody = reach === 0 && <Note tone="attention">{t('nobody')}</Note>;
  const isOne = entries.length === 1;
  const texts = new Set(entries.map(describe.event));
  const summary =
    action === 'notification.send'
      ? t('sendsOf', { title: String(details.title ?? '') })
      : t(`action.${action}` as 'action.change');
  const text = texts.size === 1 ? describe.event(entry) : summary;
  return (
    <ListRow data-action={isOne ? action : undefined} data-repeats={isOne ? undefined : entries.length} nested={nested}>
      <Cell at="aside" time={at} />
      <Cell at="second">
        <bdi>{describe.actor(entry)}</bdi>
        {nobody && <span className="mantine-hidden-from-sm list-note">{nobody}</span>}
      </Cell>
      <Cell at="main">
        {isOne ? (
          <RowLink href={`/owner/audit/${id}`}>{text}</RowLink>
        ) : (
          <RepeatToggle count={entries.length}>{text}</RepeatToggle>
        )}
      </Cell>
      <Cell>
        {typeof reach === 'number' && reach > 0 && t('reachedPeople', { count: reach })}
        {nobody && <span title={t('zero')}>{nobody}</span>}
      </Cell>
    </ListRow>
  );
}
