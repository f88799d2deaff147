import { Alert, Stack } from '@mantine/core';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { ProviderForm } from '#app/ui/sessions/provider-form.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { provedAccount } from '#server/accounts/sign-in/cookies.ts';
import { listProviders } from '#server/accounts/sign-in/identities.ts';
import { asReturnPath } from '#server/notifications/field-rules.ts';

export const generateMetadata = titled('login', 'title');

/** The next step where the company requires a provider (`findStepToProvider`). `problem`: why a try failed. */
export default async function ProviderPage({ searchParams }: PageProps<'/login/provider'>) {
  const { step: hint, provider: id, problem, returnTo } = await searchParams;
  const t = await getTranslations();
  const proved = hint ? null : await provedAccount.read((await headers()).get('cookie'));
  const provider = listProviders().find((candidate) => candidate.id === (proved?.provider ?? id));
  const step = proved ? 'connect' : hint === 'needs-link' ? hint : provider ? 'provider-only' : 'provider-missing';
  if (!hint && !proved) redirect('/login');
  const name = { provider: provider?.label ?? '' };
  const outcome = `identities.outcome.${problem}` as 'identities.outcome.provider';
  return (
    <PublicPage title={t(`onlyProvider.${step}.title`, name)} lead={t(`onlyProvider.${step}.text`, name)}>
      <Stack>
        {problem && <Alert color="red">{t(t.has(outcome) ? outcome : 'identities.outcome.provider')}</Alert>}
        {provider && step !== 'needs-link' && (
          <ProviderForm
            provider={{ id: provider.id, label: provider.label }}
            purpose={proved ? 'connect' : 'sign-in'}
            returnTo={asReturnPath(returnTo, '/')}
            isMain
            text={t(proved ? 'invite.withProvider' : 'login.withProvider', name)}
          />
        )}
        <TextLink href="/login" size="sm">
          {t('onlyProvider.other')}
        </TextLink>
      </Stack>
    </PublicPage>
  );
}
