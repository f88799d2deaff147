import { Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { InviteForm } from '#app/invite/[token]/invite-form.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { findOwnerLink } from '#server/accounts/owners/owner-links.ts';
import { findLogo } from '#server/companies/logo.ts';
import { findInvitation } from '#server/employees/invitations.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('invite'))('pageTitle'), referrer: 'no-referrer' };
}

const leads = { owner: 'leadOwner', manager: 'leadManager', none: 'lead' } as const;

export default async function Invite({ params }: { params: Promise<{ token: string }> }) {
  const t = await getTranslations('invite');
  const { token } = await params;
  const invitation = await findInvitation(token);
  const ownerLink = invitation ? null : await findOwnerLink(token);
  const invited = invitation ?? ownerLink;
  if (!invited)
    return (
      <PublicPage>
        <Title order={1} size="h2">
          {t('invalidTitle')}
        </Title>
        <Text mt="md">{t('invalidText')}</Text>
      </PublicPage>
    );
  const logo = await findLogo(invited);
  const { companyName: company, username } = invited;
  const name = 'employeeName' in invited ? invited.employeeName : invited.name;
  return (
    <PublicPage logo={logo && { ...logo, src: `/invite/${token}/logo` }}>
      <Title order={1} size="h2">
        {username === null ? t('title', { name }) : t('titleAgain', { name })}
      </Title>
      <Text c="dimmed" mt={4} mb="lg">
        {username === null ? t(leads[ownerLink?.rights ?? 'none'], { company }) : t('leadAgain', { company, username })}
      </Text>
      <InviteForm token={token} username={username} asksPrivacy={invitation !== null && username === null} />
    </PublicPage>
  );
}
