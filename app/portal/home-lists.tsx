'use client';

import { Stack } from '@mantine/core';
import { Inbox } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { pageAddress } from '#app/portal/inbox/inbox-address.ts';
import { groupItems, useInboxItems, useRecordShown } from '#app/portal/inbox/use-inbox-items.ts';
import { InboxEntries, PinnedEntry } from '#app/portal/notification/inbox-entry.tsx';
import { waitsForConfirmation } from '#app/portal/notification/item.ts';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

const newestShown = 6;
const pinnedShown = 3;

/**
 * The lists of the home page: what is to be confirmed, at most three with the number of the others,
 * then the newest. New items appear at once. `toConfirm` counts all that the employee has to
 * confirm; `initial` may contain fewer of them.
 */
export function HomeLists({ initial, toConfirm, listedAt }: { initial: Item[]; toConfirm: number; listedAt: number }) {
  const t = useTranslations();
  const inbox = useInboxItems({ initial, listedAt, more: false, filter: {}, live: true });
  // What is snoozed still counts, and its list shows it.
  const waiting = inbox.items.filter((item) => waitsForConfirmation(item) && !(item.snoozedUntil && !item.back));
  const notListed = Math.max(0, toConfirm - initial.filter(waitsForConfirmation).length);
  const others = inbox.items.filter((item) => !waitsForConfirmation(item));
  const count = inbox.items.filter(waitsForConfirmation).length + notListed;
  const list = useRecordShown(inbox.items);
  return (
    <Stack ref={list} className="home-lists">
      {count > 0 && (
        <section aria-labelledby="to-confirm">
          <h2 className="list-head" id="to-confirm">
            {t('mustRead.pinned', { count })}
          </h2>
          <ul className="entries">
            {waiting.slice(0, pinnedShown).map((item) => (
              <PinnedEntry key={item.no} item={item} />
            ))}
          </ul>
          {count > Math.min(pinnedShown, waiting.length) && (
            <TextLink href={pageAddress({ toConfirm: true })}>
              {t('mustRead.others', { count: count - Math.min(pinnedShown, waiting.length) })}
            </TextLink>
          )}
        </section>
      )}
      <section aria-labelledby="newest">
        <h2 className="list-head" id="newest">
          {t('portal.newest')}
        </h2>
        {inbox.items.length === 0 ? (
          <EmptyState icon={<Inbox aria-hidden size={32} />} text={t('inbox.empty')} />
        ) : (
          <InboxEntries groups={groupItems(others).slice(0, newestShown)} onMark={inbox.mark} />
        )}
        <TextLink href="/portal/notifications">{t('portal.all')}</TextLink>
      </section>
    </Stack>
  );
}
