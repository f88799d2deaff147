import { Alert } from '@mantine/core';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { InviteForm } from '#app/invite/[token]/invite-form.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { ProviderForms } from '#app/ui/sessions/provider-form.tsx';
import { secretAddress, titled } from '#app/ui/text/texts.tsx';
import { listProviders } from '#server/accounts/sign-in/identities.ts';
import { findLogo } from '#server/companies/logo.ts';
import { findLink, findUsedLink } from '#server/employees/personal-links.ts';

export const generateMetadata = titled('invite', 'pageTitle', secretAddress);

const leads = { owner: 'leadOwner', manager: 'leadManager', employee: 'lead' } as const;

type Props = { params: Promise<{ token: string }>; searchParams: Promise<{ problem?: string | string[] }> };

export default async function Invite({ params, searchParams }: Props) {
  const t = await getTranslations('invite');
  const { token } = await params;
  const { problem } = await searchParams;
  const invited = await findLink(token);
  const used = invited ? null : await findUsedLink(token);
  if (used) redirect(`/login?invited=${token}&returnTo=${used.isEmployee ? '/portal' : '/'}`);
  if (!invited) return <PublicPage title={t('invalidTitle')} text={t('invalidText')} />;
  const logo = await findLogo(invited);
  const { companyName: company, name, rights, username } = invited;
  const isNew = username === null;
  const providers = listProviders(invited.onlyIssuer ? [invited.onlyIssuer] : undefined);
  const newLead =
    invited.onlyIssuer === null ? leads[rights] : providers.length > 0 ? 'leadProvider' : 'providerMissing';
  const lead = isNew ? t(newLead, { company }) : t('leadAgain', { company, username });
  return (
    <PublicPage
      logo={logo && { ...logo, src: `/invite/${token}/logo` }}
      title={isNew ? t('title', { name }) : t('titleAgain', { name })}
      lead={lead}
      texts={['invite', 'setup']}
    >
      {problem && <Alert color="red">{t(problem === 'identity-taken' ? 'identityTaken' : 'providerFailed')}</Alert>}
      {invited.onlyIssuer === null && (
        <InviteForm token={token} username={username} asksPrivacy={rights === 'employee' && isNew} />
      )}
      <ProviderForms
        providers={providers}
        or={invited.onlyIssuer === null ? t('or') : undefined}
        purpose="join"
        token={token}
        textOf={(provider) => t('withProvider', { provider })}
      />
    </PublicPage>
  );
}
