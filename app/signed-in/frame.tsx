'use client';

import '#app/signed-in/frame.css';
import { useWindowEvent } from '@mantine/hooks';
import { LogOut, Search, UserRound } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, use, useState } from 'react';
import { LanguageSwitch } from '#app/language/language-switch.tsx';
import { useSessionEnded } from '#app/portal/live/store/portal-context.tsx';
import type { AccountListProps } from '#app/signed-in/account-list.tsx';
import { type Area, findPage, type MenuPage, menus, newTabAttributes } from '#app/signed-in/menu.ts';
import { PageSessionContext } from '#app/signed-in/sign-in-again.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { Company } from '#app/ui/frame/company.ts';
import { CompanyLogo, type LogoPicture } from '#app/ui/frame/company-logo.tsx';
import { HeaderMenu } from '#app/ui/frame/header-menu.tsx';
import { EndedLine } from '#app/ui/frame/status-line.tsx';
import { LinkTabs, PageLink } from '#app/ui/text/links.tsx';

type Props = {
  menu: keyof typeof menus;
  company: string;
  logo: LogoPicture | null;
  person: string;
  other: Area | null;
  /** What an employee has in the header, and the unread count in the menu at the foot; else null. */
  bell: { tools: ReactNode; count: ReactNode } | null;
  /** Whether the company ever had a key. Without one, the system has one page only. */
  hasKeys?: boolean;
  /** How many people ask to join. */
  requests?: number;
  children: ReactNode;
};

export function Frame({ menu, company, logo, person, other, bell, hasKeys = false, requests = 0, children }: Props) {
  const t = useTranslations('app');
  const nav = useTranslations('nav');
  const pathname = usePathname();
  const pages = menus[menu].flatMap((entry) => entry.pages);
  const session = use(PageSessionContext);
  const isEnded = useSessionEnded() || session !== 'lives';
  const current = findPage(pages, pathname);
  const entries = (position: 'side' | 'foot') =>
    menus[menu].map(({ name, icon: Icon, pages: [first, ...more] }) => {
      const isCurrent = current === first || more.some((page) => page === current);
      const count = position === 'foot' && name === 'notifications' && bell?.count;
      return (
        <PageLink key={name} href={first.href} aria-current={isCurrent ? 'page' : undefined}>
          <Icon size={20} strokeWidth={1.75} />
          <span aria-hidden={Boolean(count) || undefined}>{nav(name)}</span>
          {count}
        </PageLink>
      );
    });
  const section = menus[menu].find(({ pages }) => pages.length > 1 && pages.some(({ href }) => href === pathname));
  const tabs = section?.pages.map((page) => ({
    href: page.href,
    text: nav(page.name),
    count: page.name === 'requests' ? requests : 0,
    current: page.href === pathname,
    attributes: newTabAttributes(page, nav),
  }));
  return (
    <>
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <header className="frame-header" data-area={menu}>
        <div className="frame-company" title={company}>
          <CompanyLogo logo={logo} />
          <bdi className="frame-name">{company}</bdi>
        </div>
        <div className="frame-tools">
          {menu !== 'portal' && <SearchButton pages={pages} />}
          {bell?.tools}
          <LanguageSwitch />
          <AccountMenu person={person} other={other} help={bell !== null} />
          <noscript>
            <form method="post" action="/api/auth/sign-out">
              <button type="submit" className="icon-button" aria-label={t('signOut')}>
                <LogOut size={22} />
              </button>
            </form>
          </noscript>
        </div>
      </header>
      <nav className="frame-side" aria-label={t('menu')}>
        {entries('side')}
      </nav>
      <main className="frame-main" id="content" tabIndex={-1}>
        {/* After the session ended, the next person at this device must not read it. What was typed stays. */}
        {isEnded && bell === null && <EndedLine />}
        <div className="frame-content" hidden={isEnded}>
          {section && tabs && (hasKeys || section.name !== 'system') && (
            <LinkTabs label={nav(section.name)} tabs={tabs} />
          )}
          {session !== 'left' && <Company value={{ company, logo }}>{children}</Company>}
        </div>
      </main>
      <nav className="frame-bottom" aria-label={t('menu')}>
        {entries('foot')}
      </nav>
    </>
  );
}

const AccountList = whenNeeded(() => import('#app/signed-in/account-list.tsx'), 'AccountList', { height: 140 });

function AccountMenu(account: AccountListProps) {
  const t = useTranslations('app');
  return (
    <HeaderMenu label={t('account', { name: account.person })} icon={<UserRound size={22} />}>
      {(close) => <AccountList {...account} onFollow={close} />}
    </HeaderMenu>
  );
}

const SearchDialog = whenNeeded(() => import('#app/signed-in/search-dialog.tsx'), 'SearchDialog');

/** Opens the search in everything; so does Ctrl K. */
function SearchButton({ pages }: { pages: MenuPage[] }) {
  const t = useTranslations('search');
  const [opened, setOpened] = useState(false);
  useWindowEvent('keydown', (event) => {
    if (event.ctrlKey === event.metaKey || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'k') return;
    event.preventDefault();
    setOpened(true);
  });
  return (
    <>
      <button type="button" className="icon-button" aria-label={t('open')} onClick={() => setOpened(true)}>
        <Search size={22} />
      </button>
      {opened && <SearchDialog pages={pages} onClose={() => setOpened(false)} />}
    </>
  );
}
