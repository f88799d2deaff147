import '#app/ui/forms/controls.css';
import { Box, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useTranslations } from 'next-intl';
import {
  areShouted,
  calmName,
  type Field,
  fields,
  listColumns,
  listUntaken,
  type PeopleList,
} from '#app/owner/employees/import/find-people.ts';

type Props = {
  list: PeopleList;
  defaultRole: string;
  /** Names in capitals are written as names are. */
  calm: boolean;
  onCalm: (calm: boolean) => void;
  onChoose: (field: Field, column: number) => void;
};

/** Shows which column of a list is taken for what, its first people, and what is not taken. */
export function ColumnChoice({ list, defaultRole, calm, onCalm, onChoose }: Props) {
  const t = useTranslations('imports');
  const employees = useTranslations('employees');
  const { table, columns, people, hidden, skipped } = list;
  const untaken = listUntaken(list);
  const shouted = areShouted(people);
  const sample = people.slice(0, 3);
  const loud = people.find(({ name }) => calmName(name) !== name)?.name ?? '';
  const exampleOf = (column: number) => table.rows.map(({ cells }) => cells[column]).find(Boolean) ?? '';
  const choices = listColumns(table).map((column) => {
    const name = table.names[column] ?? '';
    const label = table.headingLine === null ? t('columnNamed', { column: name, example: exampleOf(column) }) : name;
    return { value: String(column), label };
  });
  const optional = [{ value: '-1', label: t('noColumn') }, ...choices];
  return (
    <Stack component="section" gap="sm" aria-label={t('columns')}>
      <Text fw={600}>{t('columns')}</Text>
      <Group gap="sm" align="start">
        {fields.map(
          (field) =>
            (field !== 'lastName' || table.columns.lastName >= 0) && (
              <NativeSelect
                key={field}
                flex="1 1 190px"
                label={field === 'lastName' ? t('lastName') : employees(field)}
                value={columns[field]}
                onChange={({ currentTarget }) => onChoose(field, Number(currentTarget.value))}
                data={field === 'name' && columns.name >= 0 ? choices : optional}
              />
            ),
        )}
      </Group>
      <Box maw={560}>
        <Text size="sm">{t('sample', { count: sample.length, all: people.length })}</Text>
        <ul className="plain-list divided">
          {sample.map(({ line, name, role, staffNumber }) => (
            <li key={line}>
              <bdi>{shouted && calm ? calmName(name) : name || '–'}</bdi>
              <span className="fine-print">
                <bdi>{role || defaultRole || t('noRole')}</bdi>
                {staffNumber && <span> · </span>}
                <bdi>{staffNumber}</bdi>
              </span>
            </li>
          ))}
        </ul>
      </Box>
      {shouted && (
        <Checkbox
          checked={calm}
          onChange={(event) => onCalm(event.currentTarget.checked)}
          label={t('calm')}
          description={`${loud} → ${calmName(loud)}`}
        />
      )}
      {untaken.length > 0 && (
        <Text size="sm" className="wrapping">
          {t('untaken', { columns: untaken.join(', ') })}
        </Text>
      )}
      {hidden > 0 && <Text size="sm">{t('hidden', { count: hidden })}</Text>}
      {skipped.length > 0 && (
        <details open={skipped.length <= 10}>
          <summary>{t('skipped', { count: skipped.length })}</summary>
          <ul className="plain-list">
            {skipped.map(({ line, text }) => (
              <li key={line} className="fine-print wrapping">
                {t('skippedRow', { line, text })}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Stack>
  );
}
