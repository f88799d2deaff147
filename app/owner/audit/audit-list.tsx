import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ArrowKeyRows } from '#app/owner/audit/arrow-key-rows.tsx';
import { type AuditDescriber, makeDescriber } from '#app/owner/audit/describe.ts';
import { Cell, ListRow, ListTable, Note, RowLink } from '#app/ui/lists/list-table.tsx';
import { RepeatGroup, RepeatToggle } from '#app/ui/lists/repeat-group.tsx';
import { groupRepeats } from '#app/ui/lists/repeats.ts';
import { ShortTime } from '#app/ui/text/timestamp.tsx';
import type { AuditEntry } from '#server/audit/list.ts';

/**
 * The list of entries of the audit log. A row opens the page of its entry. Sends of one title by
 * one sender, and changes of one request, are behind one row.
 */
export async function AuditList({ entries }: { entries: AuditEntry[] }) {
  const t = await getTranslations('audit');
  const describe = await makeDescriber();
  const columns = [
    { name: t('time'), width: '124px' },
    { name: t('who'), width: 'minmax(0, 1fr)' },
    { name: t('what'), width: 'minmax(0, 2.6fr)' },
    { name: t('reach'), width: '150px' },
  ];
  return (
    <ArrowKeyRows>
      <ListTable label={t('title')} columns={columns}>
        {groupRepeats(entries, sameEntry).map(({ items }) =>
          items.length === 1 ? (
            <EntryRow key={items[0].id} entry={items[0]} describe={describe} />
          ) : (
            <RepeatGroup key={items[0].id} head={<RepeatedEntries entries={items} describe={describe} />}>
              {items.map((entry) => (
                <EntryRow key={entry.id} entry={entry} describe={describe} nested />
              ))}
            </RepeatGroup>
          ),
        )}
      </ListTable>
    </ArrowKeyRows>
  );
}

// Two entries with the same text are one group.
const sameEntry = ({ action, actorKind, actorId, actorName, details, requestId }: AuditEntry): string =>
  JSON.stringify([
    action,
    actorKind,
    actorId,
    actorName,
    action === 'notification.send' ? [details.title, details.reach === 0] : requestId,
  ]);

type RowProps = { entry: AuditEntry; describe: AuditDescriber; nested?: boolean };

function EntryRow({ entry, describe, nested }: RowProps) {
  return (
    <ListRow data-action={entry.action} nested={nested}>
      <EntryCells
        entry={entry}
        describe={describe}
        main={
          <RowLink href={`/owner/audit/${entry.id}`}>
            <bdi>{describe.event(entry)}</bdi>
          </RowLink>
        }
      />
    </ListRow>
  );
}

type RepeatedEntriesProps = { entries: [AuditEntry, ...AuditEntry[]]; describe: AuditDescriber };

async function RepeatedEntries({ entries, describe }: RepeatedEntriesProps) {
  const t = await getTranslations('audit');
  const [newest] = entries;
  const { action, details } = newest;
  const texts = new Set(entries.map(describe.event));
  const summary =
    action === 'notification.send'
      ? t('sendsOf', { title: String(details.title ?? '') })
      : t(`action.${action}` as 'action.change');
  return (
    <ListRow data-repeats={entries.length}>
      <EntryCells
        entry={newest}
        describe={describe}
        main={
          <RepeatToggle count={entries.length}>
            <bdi>{texts.size === 1 ? describe.event(newest) : summary}</bdi>
          </RepeatToggle>
        }
      />
    </ListRow>
  );
}

async function EntryCells({ entry, describe, main }: RowProps & { main: ReactNode }) {
  const t = await getTranslations('audit');
  const { reach } = entry.details;
  return (
    <>
      <Cell at="aside">
        <ShortTime at={entry.at} />
      </Cell>
      <Cell at="second">
        <bdi>{describe.actor(entry)}</bdi>
        {reach === 0 && (
          <span className="phone-only list-note">
            <Note tone="attention">{t('nobody')}</Note>
          </span>
        )}
      </Cell>
      <Cell at="main">{main}</Cell>
      <Cell>
        {typeof reach === 'number' && reach > 0 && t('reachedPeople', { count: reach })}
        {reach === 0 && (
          <span title={t('zero')}>
            <Note tone="attention">{t('nobody')}</Note>
          </span>
        )}
      </Cell>
    </>
  );
}
