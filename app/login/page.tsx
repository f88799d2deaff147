import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import { LoginForm } from '#app/login/login-form.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { ProviderForms } from '#app/ui/sessions/provider-form.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import type { OidcProvider } from '#platform/config/identity.ts';
import { findLastProvider } from '#server/accounts/sign-in/cookies.ts';
import { listProviders } from '#server/accounts/sign-in/identities.ts';
import { makeSignInOptions } from '#server/accounts/sign-in/passkeys.ts';
import { findLogoutAddress } from '#server/accounts/sign-in/provider.ts';
import { currentSession } from '#server/accounts/sign-in/require.ts';
import { findLogoOfBrowser } from '#server/companies/logo.ts';
import { findUsedLink } from '#server/employees/personal-links.ts';
import { asReturnPath } from '#server/notifications/field-rules.ts';

export const generateMetadata = titled('login', 'title');

type Query = Partial<Record<'returnTo' | 'problem' | 'invited' | 'state', string | string[]>>;

export default async function Login({ searchParams }: { searchParams: Promise<Query> }) {
  const [t, { returnTo, problem, invited, state }, session] = await Promise.all([
    getTranslations(),
    searchParams,
    currentSession(),
  ]);
  const target = asReturnPath(returnTo, '/');
  if (session) redirect(target);
  const earlier =
    /^(?:wrong-password|no-cookies|link|provider|unknown-identity|provider-only|old-session|[1-9]\d{0,3})$/.exec(
      String(problem),
    )?.[0];
  const username = typeof invited === 'string' ? (await findUsedLink(invited))?.username : undefined;
  const cookieHeader = (await headers()).get('cookie');
  const logo = pictureOf(await findLogoOfBrowser(cookieHeader));
  const last = state === undefined ? findLastProvider(cookieHeader) : null;
  const lead = t(username ? 'login.invitedLead' : 'login.lead');
  return (
    <PublicPage logo={logo} title={t(username ? 'login.invited' : 'login.title')} lead={lead}>
      <LoginForm returnTo={target} earlier={earlier} username={username} passkeys={makeSignInOptions()} />
      <ProviderForms
        providers={listProviders()}
        or={t('login.or')}
        purpose="sign-in"
        returnTo={target}
        textOf={(provider) => t('login.withProvider', { provider })}
      />
      {last && (
        <Suspense>
          <SignOutThere provider={last} />
        </Suspense>
      )}
      <details className="login-help">
        <summary>{t('login.help')}</summary>
        <p>{t.rich('login.helpEmployee', { who: (text) => <b>{text}</b> })}</p>
        <p>{t.rich('login.helpOwner', { who: (text) => <b>{text}</b> })}</p>
      </details>
      <p className="fine-print">{t.rich('docs.forIntegrators', { link: (text) => <a href="/docs">{text}</a> })}</p>
    </PublicPage>
  );
}

// The session at the provider outlives the one here. Its sign-out address is looked up after the page is shown.
async function SignOutThere({ provider }: { provider: OidcProvider }) {
  const [t, address] = await Promise.all([getTranslations('login'), findLogoutAddress(provider)]);
  if (!address) return null;
  return (
    <a className="plain-button" data-look="subtle" href={address}>
      {t('signOutThere', { provider: provider.label })}
    </a>
  );
}
