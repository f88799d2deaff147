import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { SignedInFrame } from '#app/ui/signed-in-frame.tsx';
import { requireSession } from '#server/require.ts';

export default async function PortalLayout({ children }: { children: ReactNode }) {
  const session = await requireSession('/portal');
  if (!session.employee) redirect('/owner');
  return (
    <SignedInFrame session={session} area="portal">
      {children}
    </SignedInFrame>
  );
}
