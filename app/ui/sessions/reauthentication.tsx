'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { AskToProve } from '#app/ui/forms/use-action.ts';
import { pageWithoutProof } from '#app/ui/lists/address.ts';

const ReauthenticateDialog = whenNeeded(
  () => import('#app/ui/sessions/reauthenticate-dialog.tsx'),
  'ReauthenticateDialog',
  { texts: true },
);

/** Asks for the password where an action of the children needs it, or where a `proof` at a provider failed. */
export function Reauthentication({ children }: { children: ReactNode }) {
  const path = usePathname();
  const [proof, setProof] = useState<{ on: string; again: () => void }>();
  const follow = () => {
    setProof(undefined);
    proof?.again();
  };
  const router = useRouter();
  const failed = useSearchParams().get('proof');
  const forget = () => router.replace(pageWithoutProof());
  return (
    <AskToProve value={(again) => setProof({ on: path, again })}>
      {children}
      {proof?.on === path && <ReauthenticateDialog onClose={() => setProof(undefined)} onReauthenticated={follow} />}
      {failed && !proof && <ReauthenticateDialog problem={failed} onClose={forget} onReauthenticated={forget} />}
    </AskToProve>
  );
}
