import type { ReactNode } from 'react';
import { SignedInFrame } from '#app/ui/signed-in-frame.tsx';
import { currentSession } from '#server/require.ts';

export default async function OwnerLayout({ children }: { children: ReactNode }) {
  const session = await currentSession();
  // Each page guards itself and knows where a sign-in should lead back to.
  if (!session?.owner) return children;
  return (
    <SignedInFrame session={session} area="owner">
      {children}
    </SignedInFrame>
  );
}
