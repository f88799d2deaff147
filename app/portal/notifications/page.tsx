import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { asQuery, readFilter } from '#app/portal/inbox/inbox-filter.ts';
import { InboxFilters } from '#app/portal/notifications/inbox-filters.tsx';
import { InboxList } from '#app/portal/notifications/inbox-list.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { requireEmployee } from '#server/accounts/require.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('inbox'))('title') };
}

export default async function Notifications({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const filter = readFilter(await searchParams);
  const query = asQuery(filter);
  const employee = await requireEmployee(`/portal/notifications${query && `?${query}`}`);
  const t = await getTranslations('inbox');
  const { items, more } = await listInbox(employee, { filter });
  return (
    <>
      <PageHead title={t('title')} />
      <InboxFilters filter={filter} />
      <InboxList key={`${query}:${items[0]?.no}`} initial={items.map(asItem)} more={more} filter={filter} />
    </>
  );
}
