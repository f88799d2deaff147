import { getTranslations } from 'next-intl/server';
import { InviteForm } from '#app/invite/[token]/invite-form.tsx';
import { titled } from '#app/language/page-title.ts';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { findOwnerLink } from '#server/accounts/owners/owner-links.ts';
import { findLogo } from '#server/companies/logo.ts';
import { findInvitation } from '#server/employees/invitations.ts';

export const generateMetadata = titled('invite', 'pageTitle', { referrer: 'no-referrer' });

const leads = { owner: 'leadOwner', manager: 'leadManager', none: 'lead' } as const;

export default async function Invite({ params }: { params: Promise<{ token: string }> }) {
  const t = await getTranslations('invite');
  const { token } = await params;
  const invitation = await findInvitation(token);
  const ownerLink = invitation ? null : await findOwnerLink(token);
  const invited = invitation ?? ownerLink;
  if (!invited) return <PublicPage title={t('invalidTitle')} text={t('invalidText')} />;
  const logo = await findLogo(invited);
  const { companyName: company, username } = invited;
  const name = 'employeeName' in invited ? invited.employeeName : invited.name;
  return (
    <PublicPage
      logo={logo && { ...logo, src: `/invite/${token}/logo` }}
      title={username === null ? t('title', { name }) : t('titleAgain', { name })}
      lead={
        username === null ? t(leads[ownerLink?.rights ?? 'none'], { company }) : t('leadAgain', { company, username })
      }
    >
      <Texts of={['invite']}>
        <InviteForm token={token} username={username} asksPrivacy={invitation !== null && username === null} />
      </Texts>
    </PublicPage>
  );
}
