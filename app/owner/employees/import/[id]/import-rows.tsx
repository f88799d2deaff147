'use client';

import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type FormEvent, useId } from 'react';
import { fixImportRowAction } from '#app/owner/employees/import/actions.ts';
import { readForm, useAction } from '#app/ui/forms/use-action.ts';
import { TableHead } from '#app/ui/lists/table-head.tsx';
import type { CheckedRow, RowProblem } from '#server/employees/import-check.ts';

/**
 * The rows of an import list with their problems. Rows can be corrected only while the list is open
 * (`isEditable`) and has problems.
 */
export function ImportRows({ id, rows, isEditable }: { id: string; rows: CheckedRow[]; isEditable: boolean }) {
  const t = useTranslations('imports');
  const employees = useTranslations('employees');
  const hasProblems = rows.some(({ problems }) => problems.length > 0);
  return (
    <Table className="rows" verticalSpacing="sm">
      <TableHead columns={[t('line'), employees('name'), employees('role'), ...(hasProblems ? [t('problem')] : [])]} />
      <Table.Tbody>
        {rows.map((row) =>
          isEditable && hasProblems ? (
            <FixableRow key={`${row.line}:${row.name}:${row.role}`} id={id} row={row} />
          ) : (
            <PlainRow key={row.line} row={row} hasProblems={hasProblems} />
          ),
        )}
      </Table.Tbody>
    </Table>
  );
}

function PlainRow({ row: { line, name, role, problems }, hasProblems }: { row: CheckedRow; hasProblems: boolean }) {
  const t = useTranslations('imports');
  const employees = useTranslations('employees');
  return (
    <Table.Tr data-line={line}>
      <Table.Td data-label={t('line')}>{line}</Table.Td>
      <Table.Td data-label={employees('name')} className="written">
        <bdi>{name}</bdi>
      </Table.Td>
      <Table.Td data-label={employees('role')} className="written">
        <bdi>{role}</bdi>
      </Table.Td>
      {hasProblems && (
        <Table.Td data-label={t('problem')}>
          <RowProblems problems={problems} />
        </Table.Td>
      )}
    </Table.Tr>
  );
}

function FixableRow({ id, row }: { id: string; row: CheckedRow }) {
  const { line, name, role, problems } = row;
  const t = useTranslations('imports');
  const employees = useTranslations('employees');
  const formTexts = useTranslations('form');
  const formId = useId();
  const router = useRouter();
  const action = useAction(fixImportRowAction, () => router.refresh(), { gone: t('gone') });
  const save = (form: HTMLFormElement | null, acceptDuplicateName: boolean) => {
    const { name = '', role = '' } = form ? readForm(form) : row;
    void action.run({ id, line, name, role, namesake: acceptDuplicateName });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save(event.currentTarget, false);
  };
  const isDuplicate = problems.some(({ code }) => code === 'known' || code === 'repeated');
  const isWrong = (field: 'name' | 'role') => problems.some((problem) => 'field' in problem && problem.field === field);
  const renderInput = (field: 'name' | 'role', value: string) => (
    <TextInput
      form={formId}
      name={field}
      aria-label={t('fieldOfLine', { field: employees(field), line })}
      defaultValue={value}
      error={isWrong(field)}
      autoComplete="off"
    />
  );
  return (
    <Table.Tr data-line={line}>
      <Table.Td data-label={t('line')}>{line}</Table.Td>
      <Table.Td data-label={employees('name')}>{renderInput('name', name)}</Table.Td>
      <Table.Td data-label={employees('role')}>{renderInput('role', role)}</Table.Td>
      <Table.Td>
        <form id={formId} onSubmit={submit} noValidate>
          <Stack gap="xs">
            <RowProblems problems={problems} />
            {action.problems.form && (
              <Text size="sm" c="red" role="alert">
                {action.problems.form}
              </Text>
            )}
            <Group gap="xs">
              <Button type="submit" variant="default" loading={action.pending} aria-label={t('saveLine', { line })}>
                {formTexts('save')}
              </Button>
              {isDuplicate && (
                <Button
                  variant="light"
                  disabled={action.pending}
                  aria-label={t('wantLine', { line })}
                  onClick={(event) => save(event.currentTarget.form, true)}
                >
                  {t('want')}
                </Button>
              )}
            </Group>
          </Stack>
        </form>
      </Table.Td>
    </Table.Tr>
  );
}

function RowProblems({ problems }: { problems: RowProblem[] }) {
  const describe = useProblemText();
  return problems.map((problem) => (
    <Text key={JSON.stringify(problem)} size="sm" c="var(--mantine-color-error)">
      {describe(problem)}
    </Text>
  ));
}

function useProblemText(): (problem: RowProblem) => string {
  const t = useTranslations('imports.problems');
  const employees = useTranslations('employees');
  return (problem) => {
    if (problem.code === 'repeated') return t('repeated', { line: problem.line });
    if (problem.code === 'known') return t('known', { id: problem.employeeId });
    const field = employees(problem.field);
    if (problem.code === 'too_long') return t('tooLong', { field, limit: problem.limit, length: problem.length });
    return t(problem.code, { field });
  };
}
