import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { JoinForm } from '#app/join/[token]/join-form.tsx';
import { joinCookieName } from '#app/join/join-cookie.ts';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { secretAddress, titled } from '#app/ui/text/texts.tsx';
import { findLogo } from '#server/companies/logo.ts';
import { findJoinLink, findJoinRequest } from '#server/employees/join-requests.ts';

export const generateMetadata = titled('join', 'pageTitle', secretAddress);

/** Asks to join. Who has asked with this browser comes to their own page, unless they want to ask `again`. */
export default async function Join({ params, searchParams }: PageProps<'/join/[token]'>) {
  const t = await getTranslations('join');
  const { token } = await params;
  const link = await findJoinLink(token);
  const own = (await cookies()).get(joinCookieName())?.value ?? '';
  const ownRequest = (await searchParams).again === undefined ? await findJoinRequest(own) : null;
  const isOpen = ownRequest && ownRequest.state !== 'declined' && ownRequest.state !== 'expired';
  if (isOpen && (!link || ownRequest.companyId === link.companyId)) redirect(`/join/wait/${own}?link=${token}`);
  if (!link) return <PublicPage title={t('invalidTitle')} text={t('invalidText')} />;
  const logo = await findLogo(link);
  const { companyName: company, asksRole } = link;
  return (
    <PublicPage
      logo={logo && { ...logo, src: `/join/${token}/logo` }}
      title={t('title', { company })}
      lead={t('lead', { company })}
      texts={['join']}
    >
      <JoinForm token={token} asksRole={asksRole} />
    </PublicPage>
  );
}
