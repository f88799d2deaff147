import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { asItem } from '#app/portal/item.ts';
import { InboxList } from '#app/portal/notifications/inbox-list.tsx';
import { InboxTabs } from '#app/portal/notifications/inbox-tabs.tsx';
import { PageHead } from '#app/ui/page-head.tsx';
import { listInbox } from '#server/inbox.ts';
import { requireEmployee } from '#server/require.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('inbox'))('title') };
}

export default async function Notifications({
  searchParams,
}: {
  searchParams: Promise<{ filter?: string | string[] }>;
}) {
  const employee = await requireEmployee('/portal/notifications');
  const t = await getTranslations('inbox');
  const filter = (await searchParams).filter === 'unread' ? 'unread' : 'all';
  const { items, more } = await listInbox(employee, { filter });
  return (
    <>
      <PageHead title={t('title')} />
      <InboxTabs filter={filter} />
      <InboxList key={`${filter}:${items[0]?.no}`} initial={items.map(asItem)} more={more} filter={filter} />
    </>
  );
}
