import { Alert, Group, Stack, Text } from '@mantine/core';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { validate } from 'uuid';
import { z } from 'zod';
import { ApplyImport, ImportInProgress } from '#app/owner/employees/import/[id]/apply-import.tsx';
import { ImportRows } from '#app/owner/employees/import/[id]/import-rows.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf } from '#app/ui/lists/address.ts';
import { IdText, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { PageLinks } from '#app/ui/lists/page-links.tsx';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireManager } from '#server/accounts/require.ts';
import type { CheckedRow } from '#server/employees/import-check.ts';
import { type EmployeeImport, findImport } from '#server/employees/imports.ts';

const pageSize = 50;

const importQuery = { show: z.enum(['problems', 'ready']), after: IdText };

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('imports'))('title') };
}

export default async function ImportPreview({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: Promise<SearchParams>;
}) {
  const { id } = await params;
  const manager = await requireManager(`/owner/employees/import/${id}`);
  const found = validate(id) ? await findImport(manager, id) : null;
  if (!found) notFound();
  const [t, employees, query] = await Promise.all([
    getTranslations('imports'),
    getTranslations('employees'),
    searchParams,
  ]);
  const { show, after = 0 } = readQuery(importQuery, query);
  const wrong = found.rows.filter(({ problems }) => problems.length > 0);
  const ready = found.rows.filter(({ problems }) => problems.length === 0);
  // Employees that were added are in the employee list.
  const open = found.state !== 'added';
  const showsReady = open && (show === 'ready' || (show === undefined && wrong.length === 0));
  const shown = showsReady ? ready : wrong;
  return (
    <>
      <TextLink href="/owner/employees">{employees('back')}</TextLink>
      <PageHead title={t(found.state === 'added' ? 'addedTitle' : 'previewTitle')} />
      <Stack>
        <ImportState found={found} ready={ready.length} wrong={wrong.length} />
        {open && (
          <Group gap="xl" component="nav" aria-label={t('show')}>
            <Choice id={id} show="problems" count={wrong.length} current={!showsReady} />
            <Choice id={id} show="ready" count={ready.length} current={showsReady} />
          </Group>
        )}
        {shown.length > 0 && (
          <Rows
            id={id}
            rows={shown}
            after={after}
            show={showsReady ? 'ready' : 'problems'}
            open={found.state === 'waiting'}
          />
        )}
      </Stack>
    </>
  );
}

async function ImportState({ found, ready, wrong }: { found: EmployeeImport; ready: number; wrong: number }) {
  const t = await getTranslations('imports');
  if (found.state === 'adding') return <ImportInProgress />;
  if (found.state === 'waiting')
    return (
      <>
        <Text>{t('counts', { total: ready + wrong, ready, wrong })}</Text>
        <Text c="dimmed" size="sm">
          {t('nothingYet')}
        </Text>
        <ApplyImport id={found.id} ready={ready} wrong={wrong} />
      </>
    );
  return (
    <>
      <Alert color="green">{t('added', { count: found.added })}</Alert>
      {wrong > 0 && <Text>{t('leftOut', { count: wrong })}</Text>}
      <Group>
        <ButtonLink href="/owner/employees">{t('toEmployees')}</ButtonLink>
        <ButtonLink variant="default" href="/owner/employees/sheet?account=uninvited">
          {t('toSheet')}
        </ButtonLink>
        <ButtonLink variant="default" href="/owner/employees/import">
          {t('another')}
        </ButtonLink>
      </Group>
    </>
  );
}

async function Choice({
  id,
  show,
  count,
  current,
}: {
  id: string;
  show: 'problems' | 'ready';
  count: number;
  current: boolean;
}) {
  const t = await getTranslations('imports');
  return (
    <TextLink
      href={`/owner/employees/import/${id}?show=${show}`}
      aria-current={current ? 'page' : undefined}
      fw={current ? 700 : undefined}
      underline={current ? 'always' : 'hover'}
    >
      {t(`shows.${show}`, { count })}
    </TextLink>
  );
}

async function Rows({
  id,
  rows,
  after,
  show,
  open,
}: {
  id: string;
  rows: CheckedRow[];
  after: number;
  show: string;
  open: boolean;
}) {
  const t = await getTranslations('imports');
  const rest = rows.filter(({ line }) => line > after);
  const page = rest.slice(0, pageSize);
  const path = `/owner/employees/import/${id}`;
  return (
    <>
      <ImportRows id={id} rows={page} isEditable={open} />
      <PageLinks
        mt={0}
        first={after > 0 && addressOf(path, { show })}
        firstText={t('first')}
        next={rest.length > pageSize && addressOf(path, { show, after: page.at(-1)?.line })}
        nextText={t('next')}
      />
    </>
  );
}
