import { Button, Stack } from '@mantine/core';
import { redirect } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import { SecondFactor } from '#app/login/second-factor/second-factor-form.tsx';
import { PublicPage } from '#app/ui/frame/public-page.tsx';
import { proposeName } from '#app/ui/sessions/sign-in-sections.tsx';
import { titled } from '#app/ui/text/texts.tsx';
import { countRecoveryCodes } from '#server/accounts/owners/second-factor.ts';
import { listPasskeys } from '#server/accounts/sign-in/passkeys.ts';
import { requireSession } from '#server/accounts/sign-in/require.ts';
import { asReturnPath } from '#server/notifications/field-rules.ts';

export const generateMetadata = titled('passkeys', 'factorTitle');

/** The page of an owner or manager whose password was right and who needs a second factor. */
export default async function SecondFactorPage({ searchParams }: PageProps<'/login/second-factor'>) {
  const { returnTo } = await searchParams;
  const target = asReturnPath(returnTo, '/owner');
  const { account, needsSecondFactor } = await requireSession(target);
  if (!needsSecondFactor) redirect(target);
  const [t, passkeys, codes] = await Promise.all([
    getTranslations(),
    listPasskeys(account),
    countRecoveryCodes(account),
  ]);
  const [hasPasskey, hasCodes] = [passkeys.length > 0, codes > 0];
  const lead = hasPasskey ? 'factorLead' : hasCodes ? 'codeLead' : 'enrolLead';
  return (
    <PublicPage
      title={t('passkeys.factorTitle')}
      lead={t(`passkeys.${lead}`)}
      texts={['passkeys', 'prove', 'settings']}
    >
      <Stack>
        <SecondFactor
          returnTo={target}
          hasPasskey={hasPasskey}
          hasCodes={hasCodes}
          proposedName={await proposeName()}
        />
        <form method="post" action="/api/auth/sign-out">
          <Button type="submit" variant="subtle" color="gray" fullWidth>
            {t('app.signOut')}
          </Button>
        </form>
      </Stack>
    </PublicPage>
  );
}
