'use client';

import { BellRing, BookOpen, House, KeyRound, type LucideIcon, ScrollText, Send, Settings, Users } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useEnded } from '#app/portal/live/store/portal-context.tsx';
import { AccountMenu } from '#app/ui/frame/account-menu.tsx';
import { LanguageSwitch } from '#app/ui/frame/language-switch.tsx';
import { PageLink } from '#app/ui/text/page-link.tsx';

/** The two halves of the service: the owner's pages, and the employees' portal. */
export type Area = 'owner' | 'portal';
type NavName = 'home' | 'sends' | 'keys' | 'employees' | 'audit' | 'settings' | 'docs' | 'notifications';
/** A place in the menu of an area. */
export type Entry = { href: string; name: NavName; icon: LucideIcon; newTab?: boolean };

/** How a link opens a tab of its own, so that the bell of this one goes on ringing; `words` are those of `nav`. */
export function inNewTab({ name, newTab }: Entry, words: (name: NavName | 'newTab') => string) {
  return newTab ? { target: '_blank', rel: 'noopener', 'aria-label': `${words(name)} ${words('newTab')}` } : {};
}

const entries: Record<Area, Entry[]> = {
  owner: [
    { href: '/owner', name: 'home', icon: House },
    { href: '/owner/sends', name: 'sends', icon: Send },
    { href: '/owner/employees', name: 'employees', icon: Users },
    { href: '/owner/keys', name: 'keys', icon: KeyRound },
    { href: '/owner/audit', name: 'audit', icon: ScrollText },
    { href: '/owner/settings', name: 'settings', icon: Settings },
    { href: '/docs', name: 'docs', icon: BookOpen, newTab: true },
  ],
  portal: [
    { href: '/portal', name: 'home', icon: House },
    { href: '/portal/notifications', name: 'notifications', icon: BellRing },
    { href: '/portal/settings', name: 'settings', icon: Settings },
  ],
};

// What does not fit at the foot of a phone is in the account's menu.
const mostAtTheBottom = 5;

/** The frame of every signed-in page: header, menu at the side, or at the bottom on phones. */
export function Frame({
  area,
  company,
  person,
  other,
  bell,
  children,
}: {
  area: Area;
  company: string;
  person: string;
  /** The area this person may also go to. */
  other: Area | null;
  bell?: ReactNode;
  children: ReactNode;
}) {
  const t = useTranslations('app');
  return (
    <>
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <header className="frame-header">
        <div className="frame-company">
          <BellRing aria-hidden size={22} />
          <bdi className="frame-name">{company}</bdi>
        </div>
        <div className="frame-tools">
          {bell}
          <LanguageSwitch />
          <AccountMenu
            person={person}
            other={other}
            more={entries[area].slice(mostAtTheBottom)}
            help={bell !== undefined}
          />
        </div>
      </header>
      <nav className="frame-side" aria-label={t('menu')}>
        {entries[area].map((entry) => (
          <MenuEntry key={entry.href} {...entry} />
        ))}
      </nav>
      <main className="frame-main" id="content" tabIndex={-1}>
        <Content>{children}</Content>
      </main>
      <nav className="frame-bottom" aria-label={t('menu')}>
        {entries[area].slice(0, mostAtTheBottom).map((entry) => (
          <MenuEntry key={entry.href} {...entry} short />
        ))}
      </nav>
    </>
  );
}

// What is pressed on a page whose person is gone would be done by whoever signed in since.
function Content({ children }: { children: ReactNode }) {
  return (
    <div className="frame-content" inert={useEnded()}>
      {children}
    </div>
  );
}

function MenuEntry({ short = false, ...entry }: Entry & { short?: boolean }) {
  const { href, name, icon: Icon } = entry;
  const t = useTranslations('nav');
  const pathname = usePathname();
  const current = href.split('/').length === 2 ? pathname === href : pathname.startsWith(href);
  return (
    <PageLink href={href} aria-current={current ? 'page' : undefined} {...inNewTab(entry, t)}>
      <Icon aria-hidden size={short ? 22 : 20} />
      <span>{short && name === 'audit' ? t('auditShort') : t(name)}</span>
    </PageLink>
  );
}
