import { Printer } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { EmployeeFilters } from '#app/owner/employees/employee-filters.tsx';
import { asEmployeeFilter, employeeQuery } from '#app/owner/employees/employee-query.ts';
import { InvitationSheet } from '#app/owner/employees/sheet/invitation-sheet.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { ListFoot } from '#app/ui/lists/list-foot.tsx';
import { addressOf, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { TextLink } from '#app/ui/text/links.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { findLogo } from '#server/companies/logo.ts';
import { countEmployees, listEmployees } from '#server/employees/employee-list.ts';
import { maxSheetInvitations } from '#server/employees/invitations.ts';

export const generateMetadata = titled('sheet', 'title');

const path = '/owner/employees/sheet';

export default async function Sheet({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { before, ...query } = readQuery(employeeQuery, await searchParams);
  const manager = await requireManager(addressOf(path, query));
  const filter = { ...asEmployeeFilter(query), invitable: true };
  const [t, employees, found, count, logo] = await Promise.all([
    getTranslations('sheet'),
    getTranslations('employees'),
    listEmployees(manager, filter, { before, limit: maxSheetInvitations + 1 }),
    countEmployees(manager, filter),
    findLogo(manager),
  ]);
  const people = found.slice(0, maxSheetInvitations);
  return (
    <Texts of={['sheet']}>
      <div className="no-print">
        <TextLink href="/owner/employees">{employees('back')}</TextLink>
        <PageHead title={t('title')} lead={t('lead', { most: maxSheetInvitations })} />
      </div>
      <InvitationSheet
        key={JSON.stringify({ ...query, before })}
        people={people}
        count={count}
        company={manager.companyName}
        logo={pictureOf(logo)}
      >
        <EmployeeFilters query={query} />
        {people.length === 0 && <EmptyState icon={<Printer aria-hidden size={32} />} text={t('nobody')} />}
        <ListFoot
          shown={people.length}
          first={before !== undefined && addressOf(path, query)}
          firstText={t('firstPeople')}
          next={found.length > maxSheetInvitations && addressOf(path, { ...query, before: people.at(-1)?.id })}
          nextText={t('nextPeople', { most: maxSheetInvitations })}
        />
      </InvitationSheet>
    </Texts>
  );
}
