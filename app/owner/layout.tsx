import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { SignedInFrame } from '#app/ui/signed-in-frame.tsx';
import { requireSession } from '#server/require.ts';

export default async function OwnerLayout({ children }: { children: ReactNode }) {
  const session = await requireSession('/owner');
  if (!session.owner) redirect('/portal');
  return (
    <SignedInFrame session={session} area="owner">
      {children}
    </SignedInFrame>
  );
}
