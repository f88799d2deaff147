import { Group } from '@mantine/core';
import { Printer } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { EmployeeFilters } from '#app/owner/employees/employee-filters.tsx';
import { readFilter, writeFilter } from '#app/owner/employees/filter.ts';
import { InvitationSheet } from '#app/owner/employees/sheet/invitation-sheet.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { type Query, readId } from '#app/ui/lists/query.ts';
import { TextLink } from '#app/ui/text/text-link.tsx';
import { requireOwner } from '#server/accounts/require.ts';
import { countEmployees, listEmployees } from '#server/employees/employee-list.ts';
import { maxSheetInvitations } from '#server/employees/invitation-sheet.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('sheet'))('title') };
}

export default async function Sheet({ searchParams }: { searchParams: Promise<Query> }) {
  const query = await searchParams;
  const filter = readFilter(query);
  const before = readId(query.before);
  const owner = await requireOwner(`/owner/employees/sheet${writeFilter(filter)}`);
  const [t, employees] = [await getTranslations('sheet'), await getTranslations('employees')];
  const invitable = { ...filter, invitable: true };
  const [found, count] = await Promise.all([
    listEmployees(owner, invitable, { before, limit: maxSheetInvitations + 1 }),
    countEmployees(owner, invitable),
  ]);
  const people = found.slice(0, maxSheetInvitations);
  const next = found.length > maxSheetInvitations ? people.at(-1)?.id : undefined;
  const address = `/owner/employees/sheet${writeFilter(filter, next === undefined ? {} : { before: String(next) })}`;
  return (
    <>
      <div className="no-print">
        <TextLink href="/owner/employees">{employees('back')}</TextLink>
        <PageHead title={t('title')} lead={t('lead', { most: maxSheetInvitations })} />
      </div>
      <InvitationSheet
        key={`${writeFilter(filter)}:${before ?? ''}`}
        people={people}
        count={count}
        company={owner.companyName}
      >
        <EmployeeFilters filter={filter} filtered={writeFilter(filter) !== ''} />
        {people.length === 0 && <EmptyState icon={<Printer aria-hidden size={32} />} text={t('nobody')} />}
        <Group gap="xl">
          {before !== undefined && (
            <TextLink href={`/owner/employees/sheet${writeFilter(filter)}`}>{t('firstPeople')}</TextLink>
          )}
          {next !== undefined && <TextLink href={address}>{t('nextPeople', { most: maxSheetInvitations })}</TextLink>}
        </Group>
      </InvitationSheet>
    </>
  );
}
