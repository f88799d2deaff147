'use client';

import { CircleHelp, LogOut } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useOptionalPortal } from '#app/portal/live/store/portal-context.tsx';
import { unsubscribeDevice } from '#app/portal/settings/device.ts';
import { type Area, type Entry, inNewTab } from '#app/ui/frame/frame.tsx';
import { LanguageItem } from '#app/ui/frame/language-item.tsx';
import { signOut } from '#app/ui/sessions/sign-out.ts';
import { PageLink } from '#app/ui/text/page-link.tsx';

/** What the account's menu holds. */
export type Account = { person: string; other: Area | null; more: Entry[]; help: boolean };

/**
 * Who is signed in, where else they may go, and the way out; on a phone also what finds no room at its foot. `onFollow` is called when
 * something was chosen.
 */
export function AccountList({ person, other, more, help, onFollow }: Account & { onFollow: () => void }) {
  const t = useTranslations('app');
  const nav = useTranslations('nav');
  const form = useTranslations('form');
  const portal = useOptionalPortal();
  const [failed, setFailed] = useState(false);
  const leave = async () => {
    // Whoever signs in on this device next is somebody else.
    await unsubscribeDevice().catch(() => {});
    try {
      await signOut();
    } catch {
      return setFailed(true);
    }
    // Not before: whoever presses "sign in" in another tab would be let in by the session that is just ending.
    portal?.signedOut();
    location.assign('/login');
  };
  return (
    <ul className="account-menu">
      <li className="account-name">
        <bdi>{person}</bdi>
      </li>
      <li className="narrow-only">
        <LanguageItem onChoose={onFollow} />
      </li>
      {more.map(({ icon: Icon, ...entry }) => (
        <li key={entry.href} className="phone-only">
          <PageLink href={entry.href} onClick={onFollow} {...inNewTab({ icon: Icon, ...entry }, nav)}>
            <Icon aria-hidden size={18} />
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
