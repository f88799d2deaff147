import { Box } from '@mantine/core';
import { cookies, headers } from 'next/headers';
import { getTranslations } from 'next-intl/server';
import { browserFamily, cardCookie } from '#app/portal/device/browser.ts';
import { DeviceCard } from '#app/portal/device/device-card.tsx';
import { pageAddress } from '#app/portal/inbox/inbox-address.ts';
import { readInboxFilter } from '#app/portal/inbox/inbox-query.ts';
import { InboxFilters, InboxList, InboxState } from '#app/portal/notifications/inbox-list.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import type { SearchParams } from '#app/ui/lists/list-query.ts';
import { titled } from '#app/ui/text/texts.tsx';
import { hostCookieName } from '#server/accounts/sessions/cookie.ts';
import { requireEmployee } from '#server/accounts/sign-in/require.ts';
import { listInbox, listSenders } from '#server/inbox/inbox.ts';
import { asItem } from '#server/inbox/inbox-item.ts';
import { findPreferences } from '#server/inbox/preferences.ts';
import { countToConfirm, countUnread } from '#server/inbox/unread.ts';

export const generateMetadata = titled('inbox', 'title');

export default async function Notifications({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const filter = readInboxFilter(await searchParams);
  const address = pageAddress(filter);
  const employee = await requireEmployee(address);
  const t = await getTranslations('inbox');
  const listedAt = (await countUnread(employee)).at;
  const { unreadFirst } = await findPreferences(employee);
  const [{ items, more, next }, toConfirm, senders] = await Promise.all([
    listInbox(employee, { filter, unreadFirst }),
    countToConfirm(employee),
    listSenders(employee),
  ]);
  const family = browserFamily((await headers()).get('user-agent') ?? '');
  return (
    <Box pos="relative">
      <PageHead compact title={t('title')} lead={<InboxState />} />
      {!(await cookies()).has(hostCookieName(cardCookie)) && <DeviceCard family={family} />}
      <InboxFilters filter={filter} toConfirm={toConfirm} senders={senders} />
      <InboxList
        key={`${address}:${unreadFirst}:${items[0]?.no}`}
        initial={items.map(asItem)}
        listedAt={listedAt}
        more={more}
        next={next}
        filter={filter}
        unreadFirst={unreadFirst}
      />
    </Box>
  );
}
