'use client';

import '#app/signed-in/frame.css';
import { LogOut, UserRound } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import { LanguageSwitch } from '#app/language/language-switch.tsx';
import { useSessionEnded } from '#app/portal/live/store/portal-context.tsx';
import type { AccountListProps } from '#app/signed-in/account-list.tsx';
import { type Area, type MenuEntry, maxFootEntries, menus, newTabAttributes } from '#app/signed-in/menu.ts';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { HeaderMenu } from '#app/ui/frame/header-menu.tsx';
import { PageLink } from '#app/ui/text/links.tsx';

type Props = {
  menu: keyof typeof menus;
  company: string;
  logo: LogoPicture | null;
  person: string;
  /** The other area, if this account may use it. */
  other: Area | null;
  bell?: ReactNode;
  children: ReactNode;
};

export function Frame({ menu, company, logo, person, other, bell, children }: Props) {
  const t = useTranslations('app');
  return (
    <>
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <header className="frame-header">
        <div className="frame-company">
          <CompanyLogo logo={logo} />
          <bdi className="frame-name">{company}</bdi>
        </div>
        <div className="frame-tools">
          {bell}
          <LanguageSwitch />
          <AccountMenu
            person={person}
            other={other}
            more={menus[menu].slice(maxFootEntries)}
            help={bell !== undefined}
          />
          <noscript>
            <form method="post" action="/api/auth/signout">
              <button type="submit" className="icon-button" aria-label={t('signOut')}>
                <LogOut aria-hidden size={22} />
              </button>
            </form>
          </noscript>
        </div>
      </header>
      <nav className="frame-side" aria-label={t('menu')}>
        {menus[menu].map((entry) => (
          <MenuLink key={entry.href} entry={entry} />
        ))}
      </nav>
      <main className="frame-main" id="content" tabIndex={-1}>
        <Content>{children}</Content>
      </main>
      <nav className="frame-bottom" aria-label={t('menu')}>
        {menus[menu].slice(0, maxFootEntries).map((entry) => (
          <MenuLink key={entry.href} entry={entry} short />
        ))}
      </nav>
    </>
  );
}

// After the session ended, another person may sign in with this browser. A button pressed here
// would act for them.
function Content({ children }: { children: ReactNode }) {
  return (
    <div className="frame-content" inert={useSessionEnded()}>
      {children}
    </div>
  );
}

function MenuLink({ entry, short = false }: { entry: MenuEntry; short?: boolean }) {
  const { href, name, icon: Icon } = entry;
  const t = useTranslations('nav');
  const pathname = usePathname();
  const current = href.split('/').length === 2 ? pathname === href : pathname.startsWith(href);
  return (
    <PageLink href={href} aria-current={current ? 'page' : undefined} {...newTabAttributes(entry, t)}>
      <Icon aria-hidden size={short ? 20 : 18} strokeWidth={1.75} />
      <span>{short && name === 'audit' ? t('auditShort') : t(name)}</span>
    </PageLink>
  );
}

const AccountList = whenNeeded(() => import('#app/signed-in/account-list.tsx'), 'AccountList', { height: 140 });

function AccountMenu(account: AccountListProps) {
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
