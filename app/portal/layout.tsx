import { BellTools, Listener, UnreadCount } from '#app/portal/live/listener.tsx';
import { SignedInFrame } from '#app/signed-in/signed-in-frame.tsx';
import { Kit } from '#app/theme/kit.tsx';
import { Texts } from '#app/ui/text/texts.tsx';
import { currentSession } from '#server/accounts/sign-in/require.ts';

export default async function PortalLayout({ children }: LayoutProps<'/portal'>) {
  const session = await currentSession();
  // Each page has its own guard, which knows the address to return to after the sign-in.
  if (!session?.employee) return <Kit>{children}</Kit>;
  return (
    <Kit>
      <Texts of={['archiveAndSnooze', 'device', 'filter', 'notification']}>
        <SignedInFrame session={session} area="portal" live={{ Listener, BellTools, UnreadCount }}>
          {children}
        </SignedInFrame>
      </Texts>
    </Kit>
  );
}
