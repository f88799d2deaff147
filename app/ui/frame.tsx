'use client';

import { ActionIcon, AppShell, Box, Group, Menu, NavLink, Text, UnstyledButton } from '@mantine/core';
import {
  BellRing,
  CircleHelp,
  House,
  KeyRound,
  LogOut,
  type LucideIcon,
  ScrollText,
  Send,
  Settings,
  UserRound,
  Users,
} from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { signOut } from 'next-auth/react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useEnded, useOptionalPortal } from '#app/portal/listener/portal-context.tsx';
import { unsubscribeDevice } from '#app/portal/settings/device.ts';
import { LanguageItem, LanguageSwitch } from '#app/ui/language-switch.tsx';

type Area = 'owner' | 'portal';
type NavName = 'home' | 'sends' | 'keys' | 'employees' | 'audit' | 'settings' | 'notifications';
type Entry = { href: string; name: NavName; icon: LucideIcon };

const entries: Record<Area, Entry[]> = {
  owner: [
    { href: '/owner', name: 'home', icon: House },
    { href: '/owner/sends', name: 'sends', icon: Send },
    { href: '/owner/employees', name: 'employees', icon: Users },
    { href: '/owner/keys', name: 'keys', icon: KeyRound },
    { href: '/owner/audit', name: 'audit', icon: ScrollText },
    { href: '/owner/settings', name: 'settings', icon: Settings },
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
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: true } }}
      padding="md"
    >
      <a className="skip-link" href="#content">
        {t('skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
            <Box visibleFrom="sm" lh={0}>
              <BellRing aria-hidden size={22} />
            </Box>
            <Text component="bdi" fw={700} truncate>
              {company}
            </Text>
          </Group>
          <Group gap={4} wrap="nowrap">
            {bell}
            <Box visibleFrom="xs">
              <LanguageSwitch />
            </Box>
            <AccountMenu area={area} person={person} other={other} help={bell !== undefined} />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" visibleFrom="sm" aria-label={t('menu')}>
        <SideMenu area={area} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Content>{children}</Content>
      </AppShell.Main>
      <BottomMenu area={area} />
    </AppShell>
  );
}

// What is pressed on a page whose person is gone would be done by whoever signed in since.
function Content({ children }: { children: ReactNode }) {
  return (
    <Box maw={1100} mx="auto" pt="var(--alarm-room, 0px)" pb={{ base: 136, sm: 76 }} inert={useEnded()}>
      {children}
    </Box>
  );
}

function useCurrent(href: string): boolean {
  const pathname = usePathname();
  return href.split('/').length === 2 ? pathname === href : pathname.startsWith(href);
}

function SideMenu({ area }: { area: Area }) {
  return entries[area].map((entry) => <SideEntry key={entry.href} {...entry} />);
}

function SideEntry({ href, name, icon: Icon }: Entry) {
  const t = useTranslations('nav');
  const current = useCurrent(href);
  return (
    <NavLink
      component={Link}
      href={href}
      label={t(name)}
      active={current}
      aria-current={current ? 'page' : undefined}
      leftSection={<Icon aria-hidden size={20} />}
      mih={44}
      style={{ borderRadius: 8 }}
    />
  );
}

function BottomMenu({ area }: { area: Area }) {
  const t = useTranslations('app');
  return (
    <Box
      hiddenFrom="sm"
      component="nav"
      aria-label={t('menu')}
      pos="fixed"
      bottom={0}
      left={0}
      right={0}
      bg="var(--mantine-color-body)"
      style={{ borderTop: '1px solid var(--mantine-color-default-border)', zIndex: 150, display: 'flex' }}
    >
      {entries[area].slice(0, mostAtTheBottom).map((entry) => (
        <BottomEntry key={entry.href} {...entry} />
      ))}
    </Box>
  );
}

function BottomEntry({ href, name, icon: Icon }: Entry) {
  const t = useTranslations('nav');
  const current = useCurrent(href);
  return (
    <UnstyledButton
      component={Link}
      href={href}
      aria-current={current ? 'page' : undefined}
      c={current ? 'var(--mantine-color-anchor)' : undefined}
      fw={current ? 600 : undefined}
      py={8}
      style={{ flex: '1 1 0', minWidth: 0, minHeight: 60, textAlign: 'center' }}
    >
      <Icon aria-hidden size={22} />
      <Text size="xs" inherit={false} fz={11} truncate>
        {name === 'audit' ? t('auditShort') : t(name)}
      </Text>
    </UnstyledButton>
  );
}

function AccountMenu({ area, person, other, help }: { area: Area; person: string; other: Area | null; help: boolean }) {
  const t = useTranslations('app');
  const nav = useTranslations('nav');
  const portal = useOptionalPortal();
  const leave = async () => {
    // Whoever signs in on this device next is somebody else.
    await unsubscribeDevice().catch(() => {});
    await signOut({ redirect: false });
    // Not before: whoever presses "sign in" in another tab would be let in by the session that is just ending.
    portal?.signedOut();
    location.assign('/login');
  };
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('account', { name: person })}>
          <UserRound aria-hidden size={22} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <bdi>{person}</bdi>
        </Menu.Label>
        <LanguageItem />
        {entries[area].slice(mostAtTheBottom).map(({ href, name, icon: Icon }) => (
          <Menu.Item
            key={href}
            component={Link}
            href={href}
            hiddenFrom="sm"
            leftSection={<Icon aria-hidden size={18} />}
            mih={44}
          >
            {nav(name)}
          </Menu.Item>
        ))}
        {other && (
          <Menu.Item component={Link} href={`/${other}`} mih={44}>
            {other === 'portal' ? t('opensPortal') : t('opensOwner')}
          </Menu.Item>
        )}
        {help && (
          <Menu.Item component={Link} href="/portal/help" leftSection={<CircleHelp aria-hidden size={18} />} mih={44}>
            {t('help')}
          </Menu.Item>
        )}
        <Menu.Item onClick={leave} leftSection={<LogOut aria-hidden size={18} />} mih={44}>
          {t('signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
