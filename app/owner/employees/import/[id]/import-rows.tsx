'use client';

import '#app/ui/forms/controls.css';
import '@mantine/core/styles/Table.css';
import { Alert, Button, Checkbox, Group, Loader, Stack, Table, Text, TextInput } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useId, useState } from 'react';
import { correctImportRowAction, saveImportAction } from '#app/owner/employees/actions.ts';
import { readForm } from '#app/ui/forms/form-values.ts';
import { useAction } from '#app/ui/forms/use-action.ts';
import { Note } from '#app/ui/lists/list-table.tsx';
import type { CheckedRow, RowField, RowProblem } from '#server/employees/import-check.ts';

/** The rows of an import list. Those with problems can be corrected while it is open (`isEditable`). */
export function ImportRows({ id, rows, isEditable }: { id: string; rows: CheckedRow[]; isEditable: boolean }) {
  const t = useTranslations('imports');
  const employees = useTranslations('employees');
  const hasProblems = rows.some(({ problems }) => problems.length > 0);
  const hasNumbers = rows.some(({ staffNumber }) => staffNumber !== undefined);
  // Some rows give a known person their first number.
  const isTakingOver = isEditable && !hasProblems && rows.some(takesOver);
  const columns = [
    ...[t('line'), employees('name'), employees('role'), ...(hasNumbers ? [employees('staffNumber')] : [])],
    ...(hasProblems ? [t('problem')] : []),
    ...(isTakingOver ? [t('effect')] : []),
  ];
  return (
    <Table verticalSpacing="sm" aria-label={t('show')} className="import-rows">
      <Table.Thead visibleFrom="sm">
        <Table.Tr>
          {columns.map((column) => (
            <Table.Th key={column}>{column}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <ImportRow
            key={`${row.line}:${row.name}:${row.role}`}
            id={id}
            row={row}
            isFixable={isEditable && hasProblems}
            lastCell={hasProblems ? 'problems' : isTakingOver ? 'effect' : undefined}
          />
        ))}
      </Table.Tbody>
    </Table>
  );
}

const takesOver = ({ person }: CheckedRow) => person !== undefined && person.staffNumber === null;

type RowProps = { id: string; row: CheckedRow; isFixable: boolean; lastCell?: 'problems' | 'effect' };

function ImportRow({ id, row, isFixable, lastCell }: RowProps) {
  const { line, problems } = row;
  const t = useTranslations('imports');
  const employees = useTranslations('employees');
  const formTexts = useTranslations('form');
  const formId = useId();
  const { run, pending, problems: refused } = useAction(correctImportRowAction, undefined, { gone: t('gone') });
  // A `namesake` is another person than the one with the same name.
  const save = (form: HTMLFormElement | null, namesake: boolean) => {
    const { name = '', role = '', staffNumber } = form ? readForm(form) : row;
    void run({ id, line, name, role, staffNumber, namesake });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save(event.currentTarget, false);
  };
  const isDuplicate = problems.some(({ code }) => code === 'known' || code === 'repeated');
  const refusal = refused.form && (
    <Text size="sm" c="red" role="alert">
      {refused.form}
    </Text>
  );
  const fieldOf = (field: RowField) => (
    <TextInput
      form={formId}
      name={field}
      aria-label={t('fieldOfLine', { field: employees(field), line })}
      placeholder={employees(field)}
      defaultValue={row[field]}
      error={problems.some((problem) => 'field' in problem && problem.field === field)}
      autoComplete="off"
    />
  );
  return (
    <Table.Tr data-line={line}>
      <Table.Td>{line}</Table.Td>
      {(['name', 'role', 'staffNumber'] as const).map(
        (field) =>
          row[field] !== undefined && (
            <Table.Td key={field} className="wrapping" miw={140}>
              {isFixable ? fieldOf(field) : <Value row={row} field={field} />}
            </Table.Td>
          ),
      )}
      {lastCell === 'problems' && (
        <Table.Td>
          {isFixable ? (
            <form id={formId} onSubmit={submit} noValidate>
              <Stack gap="xs">
                <RowProblems problems={problems} />
                {refusal}
                <Group gap="xs">
                  <Button type="submit" variant="default" loading={pending} aria-label={t('saveLine', { line })}>
                    {formTexts('save')}
                  </Button>
                  {isDuplicate && (
                    <Button
                      variant="light"
                      disabled={pending}
                      aria-label={t('wantLine', { line })}
                      onClick={(event) => save(event.currentTarget.form, true)}
                    >
                      {t('want')}
                    </Button>
                  )}
                </Group>
              </Stack>
            </form>
          ) : (
            <RowProblems problems={problems} />
          )}
        </Table.Td>
      )}
      {lastCell === 'effect' && (
        <Table.Td>
          {takesOver(row) && (
            <Button
              variant="subtle"
              loading={pending}
              aria-label={t('anotherPersonLine', { line })}
              onClick={() => save(null, true)}
            >
              {t('anotherPerson')}
            </Button>
          )}
          {refusal}
        </Table.Td>
      )}
    </Table.Tr>
  );
}

// Below a value stands the employee's present one, if it differs.
function Value({ row, field }: { row: CheckedRow; field: RowField }) {
  const t = useTranslations();
  const { person } = row;
  const was = person && (person[field] ?? t('imports.wasNothing'));
  return (
    <>
      <span>
        <bdi>{row[field]}</bdi>
        {was !== undefined && was !== row[field] && <span className="list-sub">{t('imports.was', { was })}</span>}
      </span>
      {field === 'name' && person && !person.active && <Note>{t('employees.inactive')}</Note>}
    </>
  );
}

function RowProblems({ problems }: { problems: RowProblem[] }) {
  const t = useTranslations('imports.problems');
  const employees = useTranslations('employees');
  const describe = (problem: RowProblem) => {
    if (problem.code === 'protected' || problem.code === 'known') return t(problem.code);
    if ('line' in problem) return t(problem.code, { line: problem.line });
    const field = employees(problem.field);
    if (problem.code === 'too_long') return t('tooLong', { field, limit: problem.limit, length: problem.length });
    return t(problem.code, { field });
  };
  return problems.map((problem) => (
    <Text key={JSON.stringify(problem)} size="sm" c="var(--mantine-color-error)">
      {describe(problem)}
    </Text>
  ));
}

const refreshIntervalMs = 1000;

type ApplyProps = {
  id: string;
  effectsHash: string;
  counts: { added: number; changed: number; wrong: number; inactive: number };
};

/** Saves the rows without a problem, unless employees changed since `shown`. `inactive` may be activated again. */
export function ApplyImport({ id, effectsHash, counts: { added, changed, wrong, inactive } }: ApplyProps) {
  const t = useTranslations('imports');
  const router = useRouter();
  const [isStale, setIsStale] = useState(false);
  const [reactivate, setReactivate] = useState(false);
  const finish = ({ stale }: { stale: boolean }) => {
    setIsStale(stale);
    router.refresh();
  };
  const { run, pending, problems } = useAction(saveImportAction, finish, { gone: t('gone') });
  const saved = added + changed > 0 || (reactivate && inactive > 0);
  const name = () => {
    if (changed > 0) return added > 0 ? t('applyBoth', { added, changed }) : t('applyUpdate', { count: changed });
    if (added > 0 || effectsHash === '') return t('apply', { count: added });
    return saved ? t('reactivate', { count: inactive }) : t('applyNothing');
  };
  return (
    <>
      {isStale && <Alert color="yellow">{t('stale')}</Alert>}
      {problems.form && <Alert color="red">{problems.form}</Alert>}
      {inactive > 0 && (
        <Checkbox
          checked={reactivate}
          onChange={(event) => setReactivate(event.currentTarget.checked)}
          label={t('reactivate', { count: inactive })}
          description={t('reactivateHint')}
        />
      )}
      <Group>
        <Button disabled={!saved} loading={pending} onClick={() => void run({ id, shown: effectsHash, reactivate })}>
          {name()}
        </Button>
        <Text role="status" size="sm">
          {pending
            ? changed > 0
              ? t('saving')
              : t('applying', { count: added })
            : wrong > 0 && t('willLeaveOut', { count: wrong })}
        </Text>
      </Group>
    </>
  );
}

/** Refreshes the page while another request adds the employees. */
export function ImportInProgress() {
  const t = useTranslations('imports');
  const router = useRouter();
  useInterval(() => router.refresh(), refreshIntervalMs, { autoInvoke: true });
  return (
    <Alert role="status" icon={<Loader size={18} />}>
      {t('adding')}
    </Alert>
  );
}
