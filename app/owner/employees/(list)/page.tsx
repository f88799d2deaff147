import { Anchor, Group, Text } from '@mantine/core';
import { FileUp, Users } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AddEmployee, AddMe } from '#app/owner/employees/add-employee.tsx';
import { EmployeeFilters } from '#app/owner/employees/employee-filters.tsx';
import { EmployeeTable } from '#app/owner/employees/employee-table.tsx';
import { readFilter, writeFilter } from '#app/owner/employees/filter.ts';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { type Query, readId } from '#app/ui/lists/query.ts';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { countEmployees, type EmployeeFilter, isOwnerListed, listEmployees } from '#server/employees/employee-list.ts';

const pageSize = 50;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('employees'))('title') };
}

export default async function Employees({ searchParams }: { searchParams: Promise<Query> }) {
  const query = await searchParams;
  const filter = readFilter(query);
  const before = readId(query.before);
  const owner = await requireOwner(`/owner/employees${writeFilter(filter)}`);
  const t = await getTranslations('employees');
  const [found, count, isListed] = await Promise.all([
    listEmployees(owner, filter, { before, limit: pageSize + 1 }),
    countEmployees(owner, filter),
    isOwnerListed(owner),
  ]);
  const filtered = writeFilter(filter) !== '';
  const nobody = count === 0 && !filtered;
  const page = found.slice(0, pageSize);
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <Group gap="xs">
          {!isListed && <AddMe />}
          <ButtonLink variant="default" href="/owner/employees/import" icon={<FileUp aria-hidden size={18} />}>
            {t('import')}
          </ButtonLink>
          <AddEmployee company={owner.companyName} />
        </Group>
      </PageHead>
      {nobody ? (
        <EmptyState icon={<Users aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />
      ) : (
        <>
          <EmployeeFilters filter={filter} filtered={filtered} />
          <ListHead count={count} filter={filter} filtered={filtered} />
          {page.length > 0 && <EmployeeTable employees={page} company={owner.companyName} />}
        </>
      )}
      <Pages filter={filter} before={before} next={found.length > pageSize ? page.at(-1)?.id : undefined} />
    </>
  );
}

async function ListHead({ count, filter, filtered }: { count: number; filter: EmployeeFilter; filtered: boolean }) {
  const [t, shared] = [await getTranslations('employees'), await getTranslations('filter')];
  return (
    <Group justify="space-between" gap="sm" mb="xs">
      <Text role="status" c="dimmed">
        {count === 0 ? shared('nothing') : t(filtered ? 'matching' : 'total', { count })}
      </Text>
      {count > 0 && (
        <Group gap="lg">
          <TextLink href={`/owner/employees/sheet${writeFilter(filtered ? filter : { account: 'none' })}`}>
            {t('printInvitations')}
          </TextLink>
          <Anchor href={`/owner/employees/csv${writeFilter(filter)}`} download py={10}>
            {shared('csv')}
          </Anchor>
        </Group>
      )}
    </Group>
  );
}

async function Pages({ filter, before, next }: { filter: EmployeeFilter; before?: number; next?: number }) {
  const t = await getTranslations('filter');
  if (before === undefined && next === undefined) return null;
  return (
    <Group mt="md" gap="xl">
      {before !== undefined && <TextLink href={`/owner/employees${writeFilter(filter)}`}>{t('newest')}</TextLink>}
      {next !== undefined && (
        <TextLink href={`/owner/employees${writeFilter(filter, { before: String(next) })}`}>{t('older')}</TextLink>
      )}
    </Group>
  );
}
