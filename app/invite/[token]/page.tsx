import { Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { InviteForm } from '#app/invite/[token]/invite-form.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { findOwnerLink } from '#server/accounts/owner-links.ts';
import { findInvitation } from '#server/employees/invitations.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('invite'))('pageTitle'), referrer: 'no-referrer' };
}

export default async function Invite({ params }: { params: Promise<{ token: string }> }) {
  const t = await getTranslations('invite');
  const { token } = await params;
  const invitation = await findInvitation(token);
  const link = invitation ? null : await findOwnerLink(token);
  if (!invitation && !link)
    return (
      <PublicPage>
        <Title order={1} size="h2">
          {t('invalidTitle')}
        </Title>
        <Text mt="md">{t('invalidText')}</Text>
      </PublicPage>
    );
  const { companyName: company = '', username = null } = invitation ?? link ?? {};
  const name = invitation?.employeeName ?? link?.name ?? '';
  return (
    <PublicPage>
      <Title order={1} size="h2">
        {username === null ? t('title', { name }) : t('titleAgain', { name })}
      </Title>
      <Text c="dimmed" mt={4} mb="lg">
        {username === null ? t(link ? 'leadOwner' : 'lead', { company }) : t('leadAgain', { company, username })}
      </Text>
      <InviteForm token={token} username={username} />
    </PublicPage>
  );
}
