'use client';

import { renewDevice } from '#app/portal/device/device.ts';
import { useOptionalPortal } from '#app/portal/live/store/portal-context.tsx';
import { PasswordForm } from '#app/ui/sessions/password-form.tsx';

/** The password form. The new session takes over an employee's push subscription of this device. */
export function AccountPassword({ username }: { username: string }) {
  const portal = useOptionalPortal();
  const renew = () => void (portal && renewDevice(portal.person, true).catch(() => {}));
  return <PasswordForm username={username} onChanged={renew} />;
}
