import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LanguageSwitch } from '#app/language/language-switch.tsx';
import { AccountPassword } from '#app/signed-in/account-password.tsx';
import { ThemeSwitch } from '#app/theme/theme-switch.tsx';
import { Section } from '#app/ui/frame/page-head.tsx';
import { IdentitySection, PasskeySection, SessionList } from '#app/ui/sessions/sign-in-sections.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { listReauthenticationWays } from '#server/accounts/sign-in/identities.ts';
import type { Session } from '#server/principals.ts';

/** What the page of an account was opened with: `identity` says how connecting a provider ended. */
export type AccountQuery = Promise<{ identity?: string | string[] }>;

type Props = { session: Session; query: AccountQuery; recovery?: ReactNode };

/** What every account has: language, theme, sessions, and ways to sign in. `recovery` stands below the passkeys. */
export async function AccountSections({ session, query, recovery }: Props) {
  const { account } = session;
  const t = await getTranslations();
  return (
    <Texts of={['login', 'passkeys', 'settings', 'setup']}>
      <Section id="language" title={t('app.language')} lead={t('settings.languageLead')}>
        <LanguageSwitch />
      </Section>
      <Section id="theme" title={t('app.theme.title')} lead={t('settings.themeLead')}>
        <ThemeSwitch />
      </Section>
      <Section id="sessions" title={t('sessions.title')} lead={t('sessions.lead')}>
        <SessionList session={session} />
      </Section>
      {session.needsSecondFactor ? (
        <TextLink href="/login/second-factor?returnTo=/portal/account">{t('passkeys.factorTitle')}</TextLink>
      ) : (
        <>
          <PasskeySection account={account}>{recovery}</PasskeySection>
          <IdentitySection account={account} outcome={(await query).identity} />
          {(await listReauthenticationWays(account)).hasPassword && <AccountPassword username={account.username} />}
        </>
      )}
    </Texts>
  );
}
