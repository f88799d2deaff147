import { BellRing, BookOpen, House, KeyRound, type LucideIcon, ScrollText, Send, Settings, Users } from 'lucide-react';

export type Area = 'owner' | 'portal';

type MenuName = 'home' | 'sends' | 'keys' | 'employees' | 'audit' | 'settings' | 'docs' | 'notifications';

/** An entry of an area's menu. `name` is a text below `nav` in the messages. */
export type MenuEntry = { href: string; name: MenuName; icon: LucideIcon; newTab?: boolean };

/** The menu of each area. A manager has fewer pages than an owner. */
export const menus: Record<Area | 'manager', MenuEntry[]> = {
  owner: [
    { href: '/owner', name: 'home', icon: House },
    { href: '/owner/sends', name: 'sends', icon: Send },
    { href: '/owner/employees', name: 'employees', icon: Users },
    { href: '/owner/keys', name: 'keys', icon: KeyRound },
    { href: '/owner/audit', name: 'audit', icon: ScrollText },
    { href: '/owner/settings', name: 'settings', icon: Settings },
    { href: '/docs', name: 'docs', icon: BookOpen, newTab: true },
  ],
  manager: [
    { href: '/owner', name: 'home', icon: House },
    { href: '/owner/sends', name: 'sends', icon: Send },
    { href: '/owner/employees', name: 'employees', icon: Users },
    { href: '/owner/settings', name: 'settings', icon: Settings },
  ],
  portal: [
    { href: '/portal/notifications', name: 'notifications', icon: BellRing },
    { href: '/portal/settings', name: 'settings', icon: Settings },
  ],
};

/** The number of entries at the foot of a phone. The account's menu has the others. */
export const maxFootEntries = 5;

/**
 * Returns the attributes of a link that opens a new tab, so that the bell of this tab goes on
 * ringing. `t` translates the texts below `nav`.
 */
export function newTabAttributes({ name, newTab }: MenuEntry, t: (name: MenuName | 'newTab') => string) {
  return newTab ? { target: '_blank', rel: 'noopener', 'aria-label': `${t(name)} ${t('newTab')}` } : {};
}
