import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { pageAddress } from '#app/portal/inbox/inbox-address.ts';
import { readInboxFilter } from '#app/portal/inbox/inbox-query.ts';
import { InboxFilters } from '#app/portal/notifications/inbox-filters.tsx';
import { InboxList } from '#app/portal/notifications/inbox-list.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import type { SearchParams } from '#app/ui/lists/list-query.ts';
import { requireEmployee } from '#server/accounts/sign-in/require.ts';
import { listInbox } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';
import { findPreferences } from '#server/inbox/preferences.ts';
import { countUnread } from '#server/inbox/unread.ts';

export const generateMetadata = titled('inbox', 'title');

export default async function Notifications({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const filter = readInboxFilter(await searchParams);
  const address = pageAddress(filter);
  const employee = await requireEmployee(address);
  const t = await getTranslations('inbox');
  const listedAt = (await countUnread(employee)).at;
  const { unreadFirst } = await findPreferences(employee);
  const { items, more, next } = await listInbox(employee, { filter, unreadFirst });
  return (
    <div className="inbox">
      <PageHead title={t('title')} />
      <InboxFilters filter={filter} />
      <InboxList
        key={`${address}:${unreadFirst}:${items[0]?.no}`}
        initial={items.map(asItem)}
        {...{ listedAt, more, next, filter, unreadFirst }}
      />
    </div>
  );
}
