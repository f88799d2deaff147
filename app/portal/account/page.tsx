import { Card, Stack } from '@mantine/core';
import { getTranslations } from 'next-intl/server';
import { AccountLinks } from '#app/signed-in/account-list.tsx';
import { type AccountQuery, AccountSections } from '#app/signed-in/account-sections.tsx';
import { PageHead } from '#app/ui/frame/page-head.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { requireEmployee, requireSession } from '#server/accounts/sign-in/require.ts';

export const generateMetadata = titled('nav', 'account');

export default async function PortalAccount({ searchParams }: { searchParams: AccountQuery }) {
  const { name } = await requireEmployee('/portal/account');
  const [session, t] = await Promise.all([requireSession(), getTranslations('settings')]);
  const lead = <bdi>{t('signedInAs', { username: session.account.username })}</bdi>;
  return (
    <>
      <PageHead title={<bdi>{name}</bdi>} lead={lead} />
      <Stack maw={640}>
        <Card component="ul" p="xs" className="plain-list account-menu">
          <AccountLinks help other={session.manager || session.needsSecondFactor ? 'owner' : null} />
        </Card>
        <AccountSections session={session} query={searchParams} />
      </Stack>
    </>
  );
}
