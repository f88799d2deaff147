import { Alert, Group, Stack, Text } from '@mantine/core';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { validate } from 'uuid';
import { z } from 'zod';
import { ApplyImport, ImportInProgress, ImportRows } from '#app/owner/employees/import/[id]/import-rows.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { ListFoot } from '#app/ui/lists/list-parts.tsx';
import { addressOf, IdText, readQuery } from '#app/ui/lists/list-query.ts';
import { ButtonLink, LinkTabs } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { type CheckedRow, effectOf } from '#server/employees/import-check.ts';
import { type EmployeeImport, findImport } from '#server/employees/imports.ts';

const pageSize = 50;

const importQuery = { show: z.enum(['problems', 'ready', 'new', 'changes', 'same']), after: IdText };

export const generateMetadata = titled('imports', 'title');

export default async function ImportPreview({ params, searchParams }: PageProps<'/owner/employees/import/[id]'>) {
  const { id } = await params;
  const path = `/owner/employees/import/${id}`;
  const manager = await requireManager(path);
  const preview = validate(id) ? await findImport(manager, id) : null;
  if (!preview) notFound();
  const [t, query] = await Promise.all([getTranslations(), searchParams]);
  const { show, after = 0 } = readQuery(importQuery, query);
  const groups = groupRows(preview);
  // Employees that were added are in the employee list.
  const open = preview.state !== 'added';
  const filled = groups.filter(({ rows }) => rows.length > 0);
  const group = (open && filled.find((group) => group.show === show)) || filled[0];
  const rest = group?.rows.filter(({ line }) => line > after) ?? [];
  const page = rest.slice(0, pageSize);
  const isShown = group && (open || group.show === 'problems');
  return (
    <>
      <PageHead
        back={{ href: '/owner/employees', text: t('employees.back') }}
        title={t(preview.state === 'added' ? 'imports.addedTitle' : 'imports.previewTitle')}
      />
      <Stack>
        <ImportState preview={preview} groups={groups} />
        {open && filled.length > 0 && (
          <LinkTabs
            label={t('imports.show')}
            tabs={filled.map(({ show: name, rows }) => ({
              href: `${path}?show=${name}`,
              text: t(`imports.shows.${name}`, { count: rows.length }),
              current: name === group?.show,
            }))}
          />
        )}
        {isShown && (
          <>
            <ImportRows id={id} rows={page} isEditable={preview.state === 'waiting'} />
            <ListFoot
              rowCount={page.length}
              first={after > 0 && addressOf(path, { show: group.show })}
              firstText={t('imports.first')}
              next={rest.length > pageSize && addressOf(path, { show: group.show, after: page.at(-1)?.line })}
              nextText={t('imports.next')}
            />
          </>
        )}
      </Stack>
    </>
  );
}

type Shown = 'problems' | 'ready' | 'new' | 'changes' | 'same';
const effects = { problems: 'problem', ready: 'new', new: 'new', changes: 'changes', same: 'same' };
type RowGroup = { show: Shown; rows: CheckedRow[] };

// A list without staff numbers only adds people.
function groupRows({ rows }: EmployeeImport): RowGroup[] {
  const shows: Shown[] = hasNumbers(rows) ? ['problems', 'changes', 'new', 'same'] : ['problems', 'ready'];
  return shows.map((show) => ({ show, rows: rows.filter((row) => effectOf(row) === effects[show]) }));
}

const hasNumbers = (rows: CheckedRow[]) => rows.some(({ staffNumber }) => staffNumber !== undefined);

async function ImportState({ preview, groups }: { preview: EmployeeImport; groups: RowGroup[] }) {
  const t = await getTranslations('imports');
  const count = (...shows: Shown[]) =>
    groups.filter(({ show }) => shows.includes(show)).reduce((sum, { rows }) => sum + rows.length, 0);
  const [added, changed, same, wrong] = [count('ready', 'new'), count('changes'), count('same'), count('problems')];
  const inactive = preview.rows.filter(
    ({ problems, person }) => problems.length === 0 && person && !person.active,
  ).length;
  if (preview.state === 'adding') return <ImportInProgress />;
  if (preview.state === 'waiting')
    return (
      <>
        <Text>
          {hasNumbers(preview.rows)
            ? t('countsChanges', { added, changed, same, wrong })
            : t('counts', { ready: added, wrong })}
        </Text>
        <Text className="fine-print">{t('nothingYet')}</Text>
        <ApplyImport id={preview.id} effectsHash={preview.effectsHash} counts={{ added, changed, wrong, inactive }} />
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
        <ButtonLink href="/owner/employees">{t('toEmployees')}</ButtonLink>
        <ButtonLink variant="default" href="/owner/employees?account=uninvited&choose=all">
          {t('toSheet')}
        </ButtonLink>
        <ButtonLink variant="default" href="/owner/employees/import">
          {t('another')}
        </ButtonLink>
      </Group>
    </>
  );
}
