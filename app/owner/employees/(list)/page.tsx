import { Users } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { getTranslations } from 'next-intl/server';
import { asEmployeeFilter, type EmployeeQuery, employeeQuery } from '#app/owner/employees/employee-query.ts';
import { EmployeeHead, EmployeeList } from '#app/owner/employees/employee-table.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { FilterBar } from '#app/ui/lists/filter-bar.tsx';
import { CsvLink, EmptyState, ListFoot } from '#app/ui/lists/list-parts.tsx';
import { addressOf, hasFilter, readQuery, type SearchParams } from '#app/ui/lists/list-query.ts';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireManager } from '#server/accounts/sign-in/require.ts';
import { countEmployees, isSelfListed, listEmployees } from '#server/employees/employee-list.ts';

const path = '/owner/employees';
const pageSize = 50;

export const generateMetadata = titled('employees', 'title');

export default async function Employees({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { before, choose, ...query } = readQuery(employeeQuery, await searchParams);
  const filter = asEmployeeFilter(query);
  const manager = await requireManager(addressOf(path, query));
  const [t, shared] = await Promise.all([getTranslations('employees'), getTranslations('filter')]);
  const [people, count, left, isListed] = await Promise.all([
    listEmployees(manager, filter, { before, limit: pageSize + 1 }),
    countEmployees(manager, filter),
    before === undefined ? undefined : countEmployees(manager, filter, before),
    isSelfListed(manager),
  ]);
  const page = people.slice(0, pageSize);
  const isFiltered = hasFilter(query);
  return (
    <>
      <PageHead
        compact
        title={t('title')}
        lead={<span role="status">{count > 0 && t(isFiltered ? 'matching' : 'total', { count })}</span>}
      >
        <EmployeeHead isListed={isListed} />
        {count > 0 && <CsvLink href={addressOf(`${path}/csv`, query)} />}
      </PageHead>
      {count === 0 && !isFiltered ? (
        <EmptyState icon={<Users size={32} />} title={t('empty')} text={t('emptyText')}>
          <ButtonLink variant="default" href="/owner/employees/invitations" text={t('joinLink')} />
        </EmptyState>
      ) : (
        <>
          <EmployeeFilters query={query} />
          {page.length > 0 && (
            <EmployeeList
              employees={page}
              key={choose}
              allChosen={choose === 'all'}
              byOwner={manager.kind === 'owner'}
              matching={{ query, count }}
            />
          )}
          {count === 0 && <EmptyState icon={<Users size={32} />} text={shared('nothing')} />}
          <ListFoot
            from={count - (left ?? count) + 1}
            rowCount={page.length}
            total={{ counted: count }}
            firstText={shared('firstPage')}
            nextText={shared('nextPage')}
            first={before !== undefined && addressOf(path, query)}
            next={people.length > pageSize && addressOf(path, { ...query, before: page.at(-1)?.id })}
          />
        </>
      )}
    </>
  );
}

function EmployeeFilters({ query }: { query: EmployeeQuery }) {
  const t = useTranslations('employees');
  const { q, state, account, portal, sort } = query;
  const states = employeeQuery.state.options.map((value) => ({ value, label: t(value) }));
  const accounts = employeeQuery.account.options.map((value) => ({ value, label: t(`accounts.${value}`) }));
  const portals = employeeQuery.portal.options.map((value) => ({ value, label: t(`portals.${value}`) }));
  const sorts = [{ value: 'new', label: t('sorts.new') }];
  return (
    <FilterBar
      search={{ name: 'q', label: t('search'), placeholder: t('searchHint'), value: q }}
      filters={[
        { type: 'select', name: 'state', label: t('state'), value: state, choices: states },
        { type: 'select', name: 'account', label: t('account'), value: account, choices: accounts },
        { type: 'select', name: 'portal', label: t('portal'), value: portal, choices: portals },
        { type: 'select', name: 'sort', label: t('sort'), value: sort, choices: sorts, unset: t('sorts.name') },
      ]}
    />
  );
}
