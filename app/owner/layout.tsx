import { SecondFactorReminder } from '#app/owner/settings/second-factor/reminder.tsx';
import { SignedInFrame } from '#app/signed-in/signed-in-frame.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { currentSession } from '#server/accounts/sign-in/require.ts';

export default async function OwnerLayout({ children }: LayoutProps<'/owner'>) {
  const session = await currentSession();
  // Each page requires the owner or manager itself: it knows the address to return to after a sign-in.
  if (!session?.manager) return children;
  return (
    <Texts of={['filter', 'owner']}>
      <SignedInFrame session={session} area="owner">
        <SecondFactorReminder session={session} />
        {children}
      </SignedInFrame>
    </Texts>
  );
}
