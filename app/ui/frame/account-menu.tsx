'use client';

import { UserRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import type { Account } from '#app/ui/frame/account-list.tsx';
import { HeaderMenu } from '#app/ui/frame/header-menu.tsx';

const AccountList = whenNeeded(() => import('#app/ui/frame/account-list.tsx').then(({ AccountList }) => AccountList), {
  height: 140,
});

/** The account's button and the menu below it. */
export function AccountMenu(account: Account) {
  const t = useTranslations('app');
  const [opened, setOpened] = useState(false);
  return (
    <HeaderMenu
      label={t('account', { name: account.person })}
      icon={<UserRound aria-hidden size={22} />}
      opened={opened}
      onChange={setOpened}
    >
      <AccountList {...account} onFollow={() => setOpened(false)} />
    </HeaderMenu>
  );
}
