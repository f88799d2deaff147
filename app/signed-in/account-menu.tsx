'use client';

import { UserRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { AccountListProps } from '#app/signed-in/account-list.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { HeaderMenu } from '#app/ui/frame/header-menu.tsx';

const AccountList = whenNeeded(() => import('#app/signed-in/account-list.tsx').then(({ AccountList }) => AccountList), {
  height: 140,
});

/** The account's button in the header and its menu. */
export function AccountMenu(account: AccountListProps) {
  const t = useTranslations('app');
  const [opened, setOpened] = useState(false);
  return (
    <HeaderMenu
      label={t('account', { name: account.person })}
      icon={<UserRound aria-hidden size={22} />}
      narrow
      opened={opened}
      onChange={setOpened}
    >
      <AccountList {...account} onFollow={() => setOpened(false)} />
    </HeaderMenu>
  );
}
