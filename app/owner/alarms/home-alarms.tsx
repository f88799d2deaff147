import { getMessages } from 'next-intl/server';
import { AlarmCards } from '#app/owner/alarms/alarm-cards.tsx';
import { MoreTexts } from '#app/ui/text/more-texts.tsx';
import type { Owner } from '#server/principals.ts';
import { hasOwnerDevice } from '#server/push/owner-devices.ts';

/** The cards of the active alarms, for the home page, with the texts of the dialog for a key. */
export async function HomeAlarms({ owner }: { owner: Owner }) {
  const [{ keys }, hasDevice] = await Promise.all([getMessages(), hasOwnerDevice(owner)]);
  const ofDialog = Object.entries(keys).filter(([name]) => /^(?:revoke|from|operation|call)/.test(name));
  return (
    <MoreTexts more={{ keys: Object.fromEntries(ofDialog) }}>
      <AlarmCards hasDevice={hasDevice} />
    </MoreTexts>
  );
}
