import { BellRing, House, type LucideIcon, MonitorCog, Send, Settings, UserRound, Users, Volume2 } from 'lucide-react';
import type messages from '#messages/id/icu/pages.json';

export type Area = 'owner' | 'portal';

/** A page of an area's menu. `name` is a text below `nav` in the messages. */
export type MenuPage = { href: string; name: keyof typeof messages.nav; managers?: boolean; newTab?: boolean };

/** An entry of an area's menu. It leads to its first page; several pages are tabs. */
export type MenuEntry = { name: MenuPage['name']; icon: LucideIcon; pages: [MenuPage, ...MenuPage[]] };

const owner: MenuEntry[] = [
  { name: 'home', icon: House, pages: [{ href: '/owner', name: 'home', managers: true }] },
  {
    name: 'messages',
    icon: Send,
    pages: [
      { href: '/owner/sends', name: 'sent', managers: true },
      { href: '/owner/sends/planned', name: 'planned', managers: true },
      { href: '/owner/sends/templates', name: 'templates', managers: true },
      { href: '/owner/statistics', name: 'statistics' },
      { href: '/owner/sends/rules', name: 'mustConfirm' },
    ],
  },
  {
    name: 'employees',
    icon: Users,
    pages: [
      { href: '/owner/employees', name: 'list', managers: true },
      { href: '/owner/employees/join', name: 'requests', managers: true },
      { href: '/owner/employees/invitations', name: 'invitations', managers: true },
    ],
  },
  {
    name: 'system',
    icon: MonitorCog,
    pages: [
      { href: '/owner/keys', name: 'keys' },
      { href: '/owner/audit/refused', name: 'rejected' },
      { href: '/owner/settings/alarms', name: 'alarms' },
      { href: '/docs', name: 'docs', newTab: true },
    ],
  },
  {
    name: 'settings',
    icon: Settings,
    pages: [
      { href: '/owner/settings', name: 'account', managers: true },
      { href: '/owner/settings/company', name: 'company' },
      { href: '/owner/settings/access', name: 'access' },
      { href: '/owner/audit', name: 'audit' },
      { href: '/owner/settings/data', name: 'data' },
    ],
  },
];

/** The menu of each area. A manager has fewer pages than an owner. */
export const menus: Record<Area | 'manager', MenuEntry[]> = {
  owner,
  manager: owner.flatMap((entry) => {
    const [first, ...more] = entry.pages.filter(({ managers }) => managers);
    return first ? [{ ...entry, pages: [first, ...more] }] : [];
  }),
  portal: [
    { name: 'notifications', icon: BellRing, pages: [{ href: '/portal/notifications', name: 'notifications' }] },
    { name: 'sound', icon: Volume2, pages: [{ href: '/portal/settings', name: 'sound' }] },
    { name: 'account', icon: UserRound, pages: [{ href: '/portal/account', name: 'account' }] },
  ],
};

/** The page of the menu whose address is that of `pathname`, or the longest start of it. */
export const findPage = (pages: MenuPage[], pathname: string): MenuPage | undefined =>
  pages
    .filter(({ href }) => `${pathname}/`.startsWith(`${href}/`))
    .toSorted((page, other) => other.href.length - page.href.length)[0];

/** Attributes of a link that opens a new tab, so that the bell of this one goes on. `t` translates `nav`. */
export function newTabAttributes({ name, newTab }: MenuPage, t: (name: MenuPage['name']) => string) {
  return newTab ? { target: '_blank', rel: 'noopener', 'aria-label': `${t(name)} ${t('newTab')}` } : {};
}
