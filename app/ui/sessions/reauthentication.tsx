'use client';

import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { AskToProve } from '#app/ui/forms/use-action.ts';
import { pageWithoutProof } from '#app/ui/sessions/page-without-proof.ts';

const ReauthenticateDialog = whenNeeded(
  () => import('#app/ui/sessions/reauthenticate-dialog.tsx'),
  'ReauthenticateDialog',
);

/** Asks for the password where an action of the children needs it, or where a `proof` at a provider failed. */
export function Reauthentication({ children }: { children: ReactNode }) {
  const path = usePathname();
  const [asked, setAsked] = useState<{ on: string; again: () => void }>();
  const follow = () => {
    setAsked(undefined);
    asked?.again();
  };
  const router = useRouter();
  const failed = useSearchParams().get('proof');
  const forget = () => router.replace(pageWithoutProof());
  return (
    <AskToProve value={(again) => setAsked({ on: path, again })}>
      {children}
      {asked?.on === path && <ReauthenticateDialog onClose={() => setAsked(undefined)} onReauthenticated={follow} />}
      {failed && !asked && <ReauthenticateDialog problem={failed} onClose={forget} onReauthenticated={forget} />}
    </AskToProve>
  );
}
