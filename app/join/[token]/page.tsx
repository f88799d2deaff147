import { Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { JoinForm } from '#app/join/[token]/join-form.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { findLogo } from '#server/companies/logo.ts';
import { findJoinLink } from '#server/employees/join-links.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('join'))('pageTitle'), referrer: 'no-referrer' };
}

export default async function Join({ params }: { params: Promise<{ token: string }> }) {
  const t = await getTranslations('join');
  const { token } = await params;
  const link = await findJoinLink(token);
  if (!link)
    return (
      <PublicPage>
        <Title order={1} size="h2">
          {t('invalidTitle')}
        </Title>
        <Text mt="md">{t('invalidText')}</Text>
      </PublicPage>
    );
  const logo = await findLogo(link);
  const { companyName: company, asksRole } = link;
  return (
    <PublicPage logo={logo && { ...logo, src: `/join/${token}/logo` }}>
      <Title order={1} size="h2" className="wrapping">
        {t('title', { company })}
      </Title>
      <Text c="dimmed" mt={4} mb="lg" className="wrapping">
        {t('lead', { company })}
      </Text>
      <Texts of={['join']}>
        <JoinForm token={token} asksRole={asksRole} />
      </Texts>
    </PublicPage>
  );
}
