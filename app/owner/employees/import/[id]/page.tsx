import '#app/ui/forms/controls.css';
import { Alert, Checkbox, Group, Stack, Text } from '@mantine/core';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { validate } from 'uuid';
import { z } from 'zod';
import { saveImportAction } from '#app/owner/employees/actions.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { Refreshing } from '#app/ui/frame/refreshing.tsx';
import { ListFoot } from '#app/ui/lists/list-parts.tsx';
import { addressOf, IdText, readQuery } from '#app/ui/lists/list-query.ts';
import { Cell, ListRow, ListTable, Note } from '#app/ui/lists/list-table.tsx';
import { SavedForm } from '#app/ui/sessions/saved-form.tsx';
import { ButtonLink, LinkTabs } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { type CheckedRow, type EmployeeImport, effectOf, findImport, isNamesake } from '#server/employees/imports.ts';

const pageSize = 50;

// In the order of the tabs.
const effects = ['problem', 'changes', 'new', 'same'] as const;
type Effect = (typeof effects)[number];

const importQuery = { show: z.enum(effects), after: IdText };

export const generateMetadata = titled('imports', 'title');

export default async function ImportPreview({ params, searchParams }: PageProps<'/owner/employees/import/[id]'>) {
  const { id } = await params;
  const path = `/owner/employees/import/${id}`;
  const manager = await requireManager(path);
  const preview = validate(id) ? await findImport(manager, id) : null;
  if (!preview) notFound();
  const [t, query] = await Promise.all([getTranslations(), searchParams]);
  const { show, after = 0 } = readQuery(importQuery, query);
  const rowsWith = (effect: Effect) => preview.rows.filter((row) => effectOf(row) === effect);
  const groups = effects.map((effect) => ({ effect, rows: rowsWith(effect) })).filter(({ rows }) => rows.length > 0);
  // Employees that were added are in the employee list.
  const open = preview.state !== 'added';
  const group = (open && groups.find(({ effect }) => effect === show)) || groups[0];
  const rest = group?.rows.filter(({ line }) => line > after) ?? [];
  const page = rest.slice(0, pageSize);
  const isShown = group && (open || group.effect === 'problem');
  return (
    <>
      <PageHead
        back={{ href: '/owner/employees', text: t('employees.back') }}
        title={t(preview.state === 'added' ? 'imports.addedTitle' : 'imports.previewTitle')}
      />
      <Stack>
        <ImportState preview={preview} />
        {open && groups.length > 0 && (
          <LinkTabs
            label={t('imports.show')}
            tabs={groups.map(({ effect, rows }) => ({
              href: `${path}?show=${effect}`,
              text: t(`imports.shows.${effect}`, { count: rows.length }),
              current: effect === group?.effect,
            }))}
          />
        )}
        {isShown && (
          <>
            <ImportRows rows={page} />
            <ListFoot
              rowCount={page.length}
              first={after > 0 && addressOf(path, { show: group.effect })}
              firstText={t('imports.first')}
              next={rest.length > pageSize && addressOf(path, { show: group.effect, after: page.at(-1)?.line })}
              nextText={t('imports.next')}
            />
          </>
        )}
      </Stack>
    </>
  );
}

async function ImportState({ preview }: { preview: EmployeeImport }) {
  const t = await getTranslations('imports');
  const count = (effect: Effect) => preview.rows.filter((row) => effectOf(row) === effect).length;
  const [added, changed, same, wrong] = [count('new'), count('changes'), count('same'), count('problem')];
  const namesakes = preview.rows.filter(isNamesake).length;
  const isOnly = added + changed === 0;
  const submit = () => {
    if (changed === 0) return t('apply', { added: isOnly ? namesakes : added });
    return added > 0 ? t('applyBoth', { added, changed }) : t('applyUpdate', { count: changed });
  };
  if (preview.state === 'adding')
    return (
      <Alert role="status">
        <Refreshing />
        {t('adding')}
      </Alert>
    );
  if (preview.state === 'waiting')
    return (
      <>
        <Text>{t('counts', { added, changed, same, wrong })}</Text>
        <Text className="fine-print">
          {t('nothingYet')} {wrong > 0 && t('willLeaveOut', { count: wrong })}
        </Text>
        {(!isOnly || namesakes > 0) && (
          <SavedForm action={saveImportAction} submit={submit()} sentences={{ gone: t('gone'), stale: t('stale') }}>
            <input type="hidden" name="id" value={preview.id} />
            <input type="hidden" name="shown" value={preview.effectsHash} />
            {namesakes > 0 && (
              <Checkbox name="namesakes" value="on" required={isOnly} label={t('namesakes', { count: namesakes })} />
            )}
          </SavedForm>
        )}
      </>
    );
  return (
    <>
      <Alert color="green">
        {(preview.added > 0 || preview.changed === 0) && t('added', { count: preview.added })}{' '}
        {preview.changed > 0 && t('updated', { count: preview.changed })}
      </Alert>
      {wrong > 0 && <Text>{t('leftOut', { count: wrong })}</Text>}
      <Group>
        <ButtonLink href="/owner/employees" text={t('toEmployees')} />
        <ButtonLink variant="default" href="/owner/employees?account=uninvited&choose=all" text={t('toSheet')} />
        <ButtonLink variant="default" href="/owner/employees/import" text={t('another')} />
      </Group>
    </>
  );
}

async function ImportRows({ rows }: { rows: CheckedRow[] }) {
  const [t, problems] = await Promise.all([getTranslations(), getTranslations('imports.problems')]);
  const sayProblem = (problem: CheckedRow['problems'][number]) => {
    if (problem.code === 'protected' || problem.code === 'known') return problems(problem.code);
    if ('line' in problem) return problems(problem.code, { line: problem.line });
    const field = t(`employees.${problem.field}`);
    if (problem.code !== 'too_long') return problems(problem.code, { field });
    return problems(problem.code, { field, limit: problem.limit, length: problem.length });
  };
  // Below a value stands the employee's present one, if it differs.
  const value = (row: CheckedRow, field: 'name' | 'role' | 'staffNumber') => {
    const was = row.person && (row.person[field] ?? t('imports.wasNothing'));
    return (
      <span>
        <bdi>{row[field]}</bdi>
        {was !== undefined && was !== row[field] && <span className="list-sub">{t('imports.was', { was })}</span>}
      </span>
    );
  };
  const hasNumbers = rows.some(({ staffNumber }) => staffNumber !== undefined);
  const columns = [
    { name: t('imports.line'), width: '4rem' },
    { name: t('employees.name'), width: 'minmax(0, 2fr)' },
    { name: t('employees.role'), width: 'minmax(0, 1.3fr)' },
    ...(hasNumbers ? [{ name: t('employees.staffNumber'), width: 'minmax(0, 1fr)' }] : []),
    { name: t('imports.problem'), width: 'minmax(0, 2fr)', noted: true },
  ];
  return (
    <ListTable label={t('imports.show')} columns={columns}>
      {rows.map((row) => (
        <ListRow key={row.line} data-line={row.line}>
          <Cell at="lead">
            <span className="list-sub">{row.line}</span>
          </Cell>
          <Cell at="main">
            {value(row, 'name')}
            {row.person && !row.person.active && <Note>{t('employees.inactive')}</Note>}
          </Cell>
          <Cell at="second">{value(row, 'role')}</Cell>
          {hasNumbers && <Cell at="aside">{value(row, 'staffNumber')}</Cell>}
          <Cell at="note">
            {row.problems.map((problem) => (
              <div key={JSON.stringify(problem)}>
                <Note tone="attention">{sayProblem(problem)}</Note>
              </div>
            ))}
          </Cell>
        </ListRow>
      ))}
    </ListTable>
  );
}
