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
import { effectOf, type RowEffect } from '#server/employees/import-check.ts';
import { type EmployeeImport, findImport } from '#server/employees/imports.ts';

const pageSize = 50;

// In the order of the tabs.
const effects = ['problem', 'changes', 'new', 'same'] as const;

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
  const rowsWith = (effect: RowEffect) => preview.rows.filter((row) => effectOf(row) === effect);
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
              text: t(`imports.shows.${effect === 'new' && !isUpdate(preview) ? 'ready' : effect}`, {
                count: rows.length,
              }),
              current: effect === group?.effect,
            }))}
          />
        )}
        {isShown && (
          <>
            <ImportRows id={id} rows={page} isEditable={preview.state === 'waiting'} />
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

// A list without staff numbers only adds people.
const isUpdate = ({ rows }: EmployeeImport) => rows.some(({ staffNumber }) => staffNumber !== undefined);

async function ImportState({ preview }: { preview: EmployeeImport }) {
  const t = await getTranslations('imports');
  const count = (effect: RowEffect) => preview.rows.filter((row) => effectOf(row) === effect).length;
  const [added, changed, same, wrong] = [count('new'), count('changes'), count('same'), count('problem')];
  const inactive = preview.rows.filter(
    ({ problems, person }) => problems.length === 0 && person && !person.active,
  ).length;
  if (preview.state === 'adding') return <ImportInProgress />;
  if (preview.state === 'waiting')
    return (
      <>
        <Text>
          {isUpdate(preview)
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
