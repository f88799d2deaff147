import '@mantine/core/styles/Progress.css';
import '@mantine/core/styles/SimpleGrid.css';
import { Alert } from '@mantine/core';
import { getFormatter, getTranslations } from 'next-intl/server';
import { BellTools, Listener, UnreadCount } from '#app/signed-in/owner-parts.tsx';
import { SignedInFrame } from '#app/signed-in/signed-in-frame.tsx';
import { Kit } from '#app/theme/kit.tsx';
import { TextLink } from '#app/ui/text/links.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { listPasskeys } from '#server/accounts/sign-in/passkeys.ts';
import { currentSession } from '#server/accounts/sign-in/require.ts';
import type { Session } from '#server/principals.ts';

export default async function OwnerLayout({ children }: LayoutProps<'/owner'>) {
  const session = await currentSession();
  // Each page requires the owner or manager itself: it knows the address to return to after a sign-in.
  if (!session?.manager) return <Kit>{children}</Kit>;
  return (
    <Kit>
      <Texts of={['filter']}>
        <SignedInFrame session={session} area="owner" live={{ Listener, BellTools, UnreadCount }}>
          <SecondFactorReminder session={session} />
          {children}
        </SignedInFrame>
      </Texts>
    </Kit>
  );
}

// Reminds an owner or manager without a passkey of the day from which they need a second factor.
async function SecondFactorReminder({ session }: { session: Session }) {
  const { account, secondFactorFrom } = session;
  if (!secondFactorFrom || secondFactorFrom.getTime() < Date.now()) return null;
  if ((await listPasskeys(account)).length > 0) return null;
  const [t, format] = await Promise.all([getTranslations('passkeys'), getFormatter()]);
  const day = format.dateTime(secondFactorFrom, { dateStyle: 'long', timeZone: account.timeZone });
  return (
    <Alert mb="md">
      {t('reminder', { day })} <TextLink href="/owner/settings#passkeys">{t('add')}</TextLink>
    </Alert>
  );
}
