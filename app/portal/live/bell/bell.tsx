'use client';

import { Bell as BellIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useEffect, useState } from 'react';
import { usePortal, usePortalState } from '#app/portal/live/store/portal-context.tsx';
import { maxUnread, shortCount } from '#app/portal/live/store/portal-state.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { HeaderMenu } from '#app/ui/frame/header-menu.tsx';

const BellMenu = whenNeeded(() => import('#app/portal/live/bell/bell-menu.tsx'), 'BellMenu', { height: 480 });

export function Bell() {
  const t = useTranslations('bell');
  const portal = usePortal();
  const { unread } = usePortalState();
  const [opened, setOpened] = useState(false);
  // Pop-ups would lie over the menu, which lists the same notifications.
  useEffect(() => {
    document.documentElement.toggleAttribute('data-bell-open', opened);
    return () => document.documentElement.removeAttribute('data-bell-open');
  }, [opened]);
  return (
    <div className="bell" style={{ position: 'relative' }}>
      {unread.count > 0 && (
        <span className="bell-count" aria-hidden>
          {shortCount(unread.count)}
        </span>
      )}
      <HeaderMenu
        label={t('label', { count: Math.min(unread.count, maxUnread) })}
        icon={<BellIcon aria-hidden size={22} />}
        panel={t('menu')}
        opened={opened}
        onChange={(isOpen) => {
          if (isOpen) portal.clearPopUps();
          setOpened(isOpen);
        }}
      >
        <BellMenu onFollow={() => setOpened(false)} />
      </HeaderMenu>
    </div>
  );
}
