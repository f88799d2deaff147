import { Text } from '@mantine/core';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { titled } from '#app/language/page-title.ts';
import { LoginForm } from '#app/login/login-form.tsx';
import { pictureOf } from '#app/ui/frame/company-logo.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { currentSession } from '#server/accounts/sign-in/require.ts';
import { findLogoOfBrowser } from '#server/companies/logo.ts';
import { isInternalPath } from '#server/notifications/internal-path.ts';

export const generateMetadata = titled('login', 'title');

type Query = { returnTo?: string | string[]; problem?: string | string[] };

export default async function Login({ searchParams }: { searchParams: Promise<Query> }) {
  const [t, docs, { returnTo, problem }, session] = await Promise.all([
    getTranslations('login'),
    getTranslations('docs'),
    searchParams,
    currentSession(),
  ]);
  const target = typeof returnTo === 'string' && isInternalPath(returnTo) ? returnTo : '/';
  if (session) redirect(target);
  const earlier = /^(?:wrong-password|link|[1-9]\d{0,3})$/.exec(String(problem))?.[0];
  const logo = pictureOf(await findLogoOfBrowser((await headers()).get('cookie')));
  return (
    <PublicPage logo={logo} title={t('title')} lead={t('lead')}>
      <LoginForm returnTo={target} earlier={earlier} />
      <details className="sign-in-help">
        <summary>{t('help')}</summary>
        <Text size="sm">{t.rich('helpEmployee', { who: (text) => <b>{text}</b> })}</Text>
        <Text size="sm" mt="xs">
          {t.rich('helpOwner', { who: (text) => <b>{text}</b> })}
        </Text>
      </details>
      <Text className="fine-print" mt="xs">
        {docs.rich('forIntegrators', { link: (text) => <a href="/docs">{text}</a> })}
      </Text>
    </PublicPage>
  );
}
