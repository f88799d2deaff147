import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { CircleHelp, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { LanguageItem } from '#app/language/language-switch.tsx';
import { leaveDevice } from '#app/portal/device/device.ts';
import { useOptionalPortal } from '#app/portal/live/store/portal-context.tsx';
import { type Area, type MenuEntry, newTabAttributes } from '#app/signed-in/menu.ts';
import { PageLink } from '#app/ui/text/links.tsx';

/** `more`: the menu entries that do not fit at the foot of a phone. */
export type AccountListProps = { person: string; other: Area | null; more: MenuEntry[]; help: boolean };

export function AccountList({ person, other, more, help, onFollow }: AccountListProps & { onFollow: () => void }) {
  const t = useTranslations('app');
  const nav = useTranslations('nav');
  const form = useTranslations('form');
  const portal = useOptionalPortal();
  const [failed, setFailed] = useState(false);
  const leave = async () => {
    // The next person who signs in on this device must not get this person's notifications.
    await leaveDevice().catch(() => {});
    try {
      await signOut();
    } catch {
      return setFailed(true);
    }
    // Not earlier: the other tabs then offer to sign in, and the session would still be open.
    portal?.signedOut();
    location.assign('/login');
  };
  return (
    <ul className="account-menu">
      <li className="account-name">
        <bdi>{person}</bdi>
      </li>
      <li className="mantine-hidden-from-xs">
        <LanguageItem onChoose={onFollow} />
      </li>
      <li className="account-theme">
        <ThemeSwitch />
      </li>
      {more.map((entry) => (
        <li key={entry.href} className="mantine-hidden-from-sm">
          <PageLink href={entry.href} onClick={onFollow} {...newTabAttributes(entry, nav)}>
            <entry.icon aria-hidden size={18} />
            {nav(entry.name)}
          </PageLink>
        </li>
      ))}
      {other && (
        <li>
          <PageLink href={`/${other}`} onClick={onFollow}>
            {other === 'portal' ? t('opensPortal') : t('opensOwner')}
          </PageLink>
        </li>
      )}
      {help && (
        <li>
          <PageLink href="/portal/help" onClick={onFollow}>
            <CircleHelp aria-hidden size={18} />
            {t('help')}
          </PageLink>
        </li>
      )}
      <li>
        <button type="button" onClick={() => void leave()}>
          <LogOut aria-hidden size={18} />
          {t('signOut')}
        </button>
        {failed && <p role="alert">{form('failed')}</p>}
      </li>
    </ul>
  );
}

/** Ends the session of this browser. Throws when the service did not confirm it. */
async function signOut(): Promise<void> {
  const response = await fetch('/api/auth/signout', { method: 'POST', body: new URLSearchParams({ json: 'true' }) });
  // The version before, which may answer during an upgrade, wants a token and ends nothing.
  const isEnded = response.ok && !(await response.text()).includes('csrf=true');
  if (!isEnded) throw new Error(`the sign-out was answered with ${response.status}`);
}

const icons = { auto: Monitor, light: Sun, dark: Moon };
const schemes: MantineColorScheme[] = ['auto', 'light', 'dark'];

function ThemeSwitch() {
  const t = useTranslations('app.theme');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className="segments" aria-label={t('title')}>
      {schemes.map((scheme) => {
        const Icon = icons[scheme];
        return (
          <label key={scheme} title={t(scheme)}>
            <input
              type="radio"
              name="theme"
              value={scheme}
              aria-label={t(scheme)}
              checked={colorScheme === scheme}
              onChange={() => setColorScheme(scheme)}
            />
            <span>
              <Icon aria-hidden size={18} strokeWidth={1.75} />
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}
