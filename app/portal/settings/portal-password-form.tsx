'use client';

import { renewDevice } from '#app/portal/device/device.ts';
import { usePortal } from '#app/portal/live/store/portal-context.tsx';
import { PasswordForm } from '#app/ui/sessions/password-form.tsx';

/** The password form of an employee. The new session takes over this device's push subscription. */
export function PortalPasswordForm({ username }: { username: string }) {
  const { person } = usePortal();
  return <PasswordForm username={username} onChanged={() => void renewDevice(person, true).catch(() => {})} />;
}
