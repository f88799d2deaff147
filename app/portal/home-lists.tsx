'use client';

import { Stack } from '@mantine/core';
import { Inbox } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useInboxItems } from '#app/portal/inbox/use-inbox-items.ts';
import { useRecordShown } from '#app/portal/inbox/use-record-shown.ts';
import { InboxEntry } from '#app/portal/notification/inbox-entry.tsx';
import { EmptyState } from '#app/ui/lists/empty-state.tsx';
import { TextLink } from '#app/ui/text/text-link.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

const newestShown = 5;

/**
 * The lists of the home page: what is to be confirmed, then the newest. New items appear at once.
 */
export function HomeLists({ initial }: { initial: Item[] }) {
  const t = useTranslations();
  const inbox = useInboxItems({ initial, more: false, filter: {}, live: true });
  const waits = ({ mustConfirm, confirmedAt, remindsNo }: Item) => mustConfirm && !confirmedAt && remindsNo === null;
  const pinned = inbox.items.filter(waits);
  const newest = inbox.items.filter((item) => !waits(item)).slice(0, newestShown);
  const list = useRecordShown([...pinned, ...newest]);
  const entries = (items: Item[]) => (
    <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
      {items.map((item) => (
        <InboxEntry key={item.no} item={item} onMark={(read) => inbox.mark(item, read)} />
      ))}
    </Stack>
  );
  return (
    <Stack gap="lg" ref={list}>
      {pinned.length > 0 && (
        <section aria-labelledby="to-confirm">
          <h2 className="list-head" id="to-confirm">
            {t('mustRead.pinned', { count: pinned.length })}
          </h2>
          <p className="list-lead">{t('mustRead.pinnedLead')}</p>
          {entries(pinned)}
        </section>
      )}
      <section aria-labelledby="newest">
        <h2 className="list-head" id="newest">
          {t('portal.newest')}
        </h2>
        {inbox.items.length === 0 ? (
          <EmptyState icon={<Inbox aria-hidden size={32} />} text={t('inbox.empty')} />
        ) : (
          entries(newest)
        )}
        <p>
          <TextLink href="/portal/notifications">{t('portal.all')}</TextLink>
        </p>
      </section>
    </Stack>
  );
}
