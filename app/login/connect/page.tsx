import { Button, Stack, Text } from '@mantine/core';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { ProviderForm } from '#app/ui/sessions/provider-form.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { pendingIdentity } from '#server/accounts/sign-in/cookies.ts';
import { findProvider } from '#server/accounts/sign-in/identities.ts';

export const generateMetadata = titled('connect', 'title');

/** Shows whom a provider has identified, before that is bound to an account. */
export default async function ConnectPage() {
  const pending = await pendingIdentity.read((await headers()).get('cookie'));
  const provider = pending && findProvider(pending.flow.provider);
  if (!pending || !provider) redirect('/login?problem=old-session');
  const t = await getTranslations('connect');
  const { flow, identity } = pending;
  return (
    <PublicPage title={t('title')} lead={t('lead', { provider: provider.label })}>
      <Stack>
        <Text fw={600} className="wrapping" data-label>
          <bdi>{identity.label || t('nameless')}</bdi>
        </Text>
        <Text>{t('text')}</Text>
        <form method="post" action={`/api/auth/confirm/${provider.id}`}>
          <Button type="submit" size="md" fullWidth>
            {t('confirm')}
          </Button>
        </form>
        <ProviderForm
          provider={{ id: provider.id, label: provider.label }}
          purpose={flow.purpose}
          returnTo={flow.returnTo}
          token={flow.token}
          text={t('other')}
        />
      </Stack>
    </PublicPage>
  );
}
