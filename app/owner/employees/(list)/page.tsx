import { Anchor, Group, Text } from '@mantine/core';
import { FileUp, Users } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { AddEmployee, AddMe } from '#app/owner/employees/add-employee.tsx';
import { EmployeeFilters } from '#app/owner/employees/employee-filters.tsx';
import { asEmployeeFilter, type EmployeeQuery, employeeQuery } from '#app/owner/employees/employee-query.ts';
import { EmployeeTable } from '#app/owner/employees/employee-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { addressOf, hasFilter } from '#app/ui/lists/address.ts';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { PageLinks } from '#app/ui/lists/page-links.tsx';
import { ButtonLink } from '#app/ui/text/button-link.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { countEmployees, isOwnerListed, listEmployees } from '#server/employees/employee-list.ts';

const path = '/owner/employees';
const pageSize = 50;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('employees'))('title') };
}

export default async function Employees({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { before, ...query } = readQuery(employeeQuery, await searchParams);
  const filter = asEmployeeFilter(query);
  const owner = await requireOwner(addressOf(path, query));
  const [t, found, count, isListed] = await Promise.all([
    getTranslations('employees'),
    listEmployees(owner, filter, { before, limit: pageSize + 1 }),
    countEmployees(owner, filter),
    isOwnerListed(owner),
  ]);
  const page = found.slice(0, pageSize);
  return (
    <>
      <PageHead title={t('title')} lead={t('lead')}>
        <Group gap="xs">
          {!isListed && <AddMe />}
          <ButtonLink variant="default" href={`${path}/import`} icon={<FileUp aria-hidden size={18} />}>
            {t('import')}
          </ButtonLink>
          <AddEmployee company={owner.companyName} />
        </Group>
      </PageHead>
      {count === 0 && !hasFilter(query) ? (
        <EmptyState icon={<Users aria-hidden size={32} />} title={t('empty')} text={t('emptyText')} />
      ) : (
        <>
          <EmployeeFilters query={query} />
          <ListHead count={count} query={query} />
          {page.length > 0 && <EmployeeTable employees={page} company={owner.companyName} />}
        </>
      )}
      <PageLinks
        first={before !== undefined && addressOf(path, query)}
        next={found.length > pageSize && addressOf(path, { ...query, before: page.at(-1)?.id })}
      />
    </>
  );
}

async function ListHead({ count, query }: { count: number; query: EmployeeQuery }) {
  const t = await getTranslations('employees');
  const shared = await getTranslations('filter');
  const filtered = hasFilter(query);
  return (
    <Group justify="space-between" gap="sm" mb="xs">
      <Text role="status" c="dimmed">
        {count === 0 ? shared('nothing') : t(filtered ? 'matching' : 'total', { count })}
      </Text>
      {count > 0 && (
        <Group gap="lg">
          <TextLink href={addressOf(`${path}/sheet`, filtered ? query : { account: 'none' })}>
            {t('printInvitations')}
          </TextLink>
          <Anchor href={addressOf(`${path}/csv`, query)} download py={10}>
            {shared('csv')}
          </Anchor>
        </Group>
      )}
    </Group>
  );
}
