import { Text, Title } from '@mantine/core';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { WaitForDecision } from '#app/join/wait/[token]/wait-for-decision.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { ButtonLink } from '#app/ui/text/links.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { findLogo } from '#server/companies/logo.ts';
import { findInvitation } from '#server/employees/invitations.ts';
import { findJoinRequest } from '#server/employees/join-requests.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('join'))('pageTitle'), referrer: 'no-referrer' };
}

/** Waits for the decision about a request to join. An approved person goes on to the invitation. */
export default async function WaitingPage({ params }: { params: Promise<{ token: string }> }) {
  const t = await getTranslations('join');
  const { token } = await params;
  const request = await findJoinRequest(token);
  if (!request)
    return (
      <PublicPage>
        <Message title={t('invalidTitle')} text={t('invalidText')} />
      </PublicPage>
    );
  const { companyName: company, name, state } = request;
  if (state === 'approved' && (await findInvitation(token))) redirect(`/invite/${token}`);
  const logo = await findLogo(request);
  return (
    <PublicPage logo={logo && { ...logo, src: `/join/${token}/logo` }}>
      {state === 'waiting' && (
        <Message title={t('waitTitle')} text={t('waitText', { company, name })}>
          <Texts of={['join']}>
            <WaitForDecision token={token} />
          </Texts>
        </Message>
      )}
      {state === 'declined' && <Message title={t('declinedTitle')} text={t('declinedText', { company, name })} />}
      {state === 'approved' && (
        <Message title={t('joinedTitle')} text={t('joinedText')}>
          <ButtonLink href="/login" mt="lg" fullWidth>
            {t('signIn')}
          </ButtonLink>
        </Message>
      )}
    </PublicPage>
  );
}

function Message({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <>
      <Title order={1} size="h2">
        {title}
      </Title>
      <Text mt="md" className="wrapping">
        {text}
      </Text>
      {children}
    </>
  );
}
