'use client';

import { AlarmClock, EllipsisVertical } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import type { Item } from '#server/inbox/inbox-item.ts';

const ArchiveDialog = whenNeeded(() =>
  import('#app/portal/notification/archive-dialog.tsx').then(({ ArchiveDialog }) => ArchiveDialog),
);

/** Opens the dialog that archives or snoozes a notification. `label`: with its words, as a button. */
export function ArchiveButton({ item, label = false }: { item: Item; label?: boolean }) {
  const t = useTranslations('archiveAndSnooze');
  const [opened, setOpened] = useState(false);
  return (
    <>
      <button
        type="button"
        className={label ? 'plain-button' : 'icon-button'}
        title={label ? undefined : t('title')}
        aria-label={label ? undefined : t('named', { title: item.title })}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {label ? (
          <>
            <AlarmClock aria-hidden size={18} /> {t('title')}
          </>
        ) : (
          <EllipsisVertical aria-hidden size={18} />
        )}
      </button>
      {opened && <ArchiveDialog item={item} onClose={() => setOpened(false)} />}
    </>
  );
}
