'use client';

import { usePathname } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { AskToProve } from '#app/ui/forms/use-action.ts';

const ReauthenticateDialog = whenNeeded(
  () => import('#app/ui/sessions/reauthenticate-dialog.tsx'),
  'ReauthenticateDialog',
);

/** Asks the person for the password where an action of the children needs it, and then runs the action again. */
export function Reauthentication({ children }: { children: ReactNode }) {
  const path = usePathname();
  const [asked, setAsked] = useState<{ on: string; again: () => void }>();
  const follow = () => {
    setAsked(undefined);
    asked?.again();
  };
  return (
    <AskToProve value={(again) => setAsked({ on: path, again })}>
      {children}
      {asked?.on === path && <ReauthenticateDialog onClose={() => setAsked(undefined)} onReauthenticated={follow} />}
    </AskToProve>
  );
}
