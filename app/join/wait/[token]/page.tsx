import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { WaitForDecision } from '#app/join/wait/[token]/wait-for-decision.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { ButtonLink, TextLink } from '#app/ui/text/links.tsx';
import { secretAddress, titled } from '#app/ui/text/texts.tsx';
import { findLogo } from '#server/companies/logo.ts';
import { findJoinRequest } from '#server/employees/join-requests.ts';

export const generateMetadata = titled('join', 'pageTitle', secretAddress);

/** Waits for the decision about a request to join. An approved person goes on to the invitation. */
export default async function WaitingPage({ params, searchParams }: PageProps<'/join/wait/[token]'>) {
  const t = await getTranslations('join');
  const { token } = await params;
  const { link } = await searchParams;
  const request = await findJoinRequest(token);
  if (!request) return <PublicPage title={t('invalidTitle')} text={t('invalidText')} />;
  const { companyName: company, name, state } = request;
  if (state === 'approved') redirect(`/invite/${token}`);
  const storedLogo = await findLogo(request);
  const logo = storedLogo && { ...storedLogo, src: `/join/${token}/logo` };
  if (state === 'declined' || state === 'expired')
    return <PublicPage logo={logo} title={t(`${state}Title`)} text={t(`${state}Text`, { company, name })} />;
  if (state === 'waiting')
    return (
      <PublicPage logo={logo} title={t('waitTitle')} text={t('waitText', { company, name })} texts={['join']}>
        <WaitForDecision token={token} />
        {typeof link === 'string' && (
          <TextLink href={`/join/${encodeURIComponent(link)}?again`}>{t('askAgain', { name })}</TextLink>
        )}
      </PublicPage>
    );
  return (
    <PublicPage logo={logo} title={t('joinedTitle')} text={t('joinedText')}>
      <ButtonLink href="/login" mt="lg" fullWidth text={t('signIn')} />
    </PublicPage>
  );
}
