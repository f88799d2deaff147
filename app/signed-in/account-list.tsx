'use client';

import { Box, Text } from '@mantine/core';
import { ArrowLeftRight, CircleHelp, LogOut, type LucideIcon } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { LanguageSwitch } from '#app/language/language-switch.tsx';
import { draftPrefix } from '#app/owner/sends/new/device-draft.ts';
import { leaveDevice } from '#app/portal/device/device.ts';
import { useOptionalPortal } from '#app/portal/live/store/portal-context.tsx';
import type { Area } from '#app/signed-in/menu.ts';
import { tellPages } from '#app/signed-in/session-channel.ts';
import { ThemeSwitch } from '#app/theme/theme-switch.tsx';
import { forgetAllStored } from '#app/ui/storage/local-storage.ts';
import { PageLink } from '#app/ui/text/links.tsx';

/** `other`: the other area, if this account may use it. */
export type AccountListProps = { person: string; other: Area | null; help: boolean };

export function AccountList({ onFollow, ...account }: AccountListProps & { onFollow: () => void }) {
  return (
    <ul className="plain-list account-menu">
      <Text component="li" c="dimmed" fz="var(--type-14)" px="sm" py={6} className="wrapping">
        <bdi>{account.person}</bdi>
      </Text>
      <Box component="li" px="sm" py={6} hiddenFrom="xs">
        <LanguageSwitch />
      </Box>
      <Box component="li" px="sm" py={6}>
        <ThemeSwitch />
      </Box>
      <AccountLinks {...account} onFollow={onFollow} />
    </ul>
  );
}

/** The other area, the help, and what ends the session. */
export function AccountLinks({ other, help, onFollow }: Omit<AccountListProps, 'person'> & { onFollow?: () => void }) {
  const t = useTranslations();
  const portal = useOptionalPortal();
  const [failed, setFailed] = useState(false);
  const leave = async () => {
    // The next person who signs in on this device must not get this person's notifications.
    await leaveDevice().catch(() => {});
    const response = await fetch('/api/auth/sign-out', { method: 'POST' }).catch(() => null);
    if (!response?.ok) return setFailed(true);
    // Only after the sign-out: it makes the other tabs offer a sign-in, and the session must have ended by then.
    portal?.signedOut();
    tellPages('signed-out');
    forgetAllStored(draftPrefix);
    location.assign('/login');
  };
  const link = (Icon: LucideIcon, href: string, text: string) => (
    <li>
      <PageLink href={href} onClick={onFollow}>
        <Icon />
        {text}
      </PageLink>
    </li>
  );
  return (
    <>
      {other && link(ArrowLeftRight, `/${other}`, t(other === 'portal' ? 'app.opensPortal' : 'app.opensOwner'))}
      {help && link(CircleHelp, '/portal/help', t('app.help'))}
      <li>
        <button type="button" onClick={() => void leave()}>
          <LogOut />
          {t('app.signOut')}
        </button>
        {failed && <p role="alert">{t('form.failed')}</p>}
      </li>
    </>
  );
}
