'use client';

import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

const ActivityDialog = whenNeeded(() =>
  import('#app/owner/keys/activity-dialog.tsx').then(({ ActivityDialog }) => ActivityDialog),
);
const EditKey = whenNeeded(() => import('#app/owner/keys/edit-key.tsx').then(({ EditKey }) => EditKey));
const ReplaceKey = whenNeeded(() => import('#app/owner/keys/replace-key.tsx').then(({ ReplaceKey }) => ReplaceKey));
const RevokeKey = whenNeeded(() => import('#app/owner/keys/revoke-key.tsx').then(({ RevokeKey }) => RevokeKey));

/** The actions on a key. */
export type KeyAction = 'monitor' | 'edit' | 'replace' | 'revoke';

/** The dialog of an action on a key. `names` are those of the active keys. */
export function KeyDialog({
  action,
  apiKey,
  names,
  baseUrl,
  onClose,
}: {
  action: KeyAction;
  apiKey: KeyOverview;
  names: string[];
  baseUrl: string;
  onClose: () => void;
}) {
  const dialog = { apiKey, onClose };
  switch (action) {
    case 'monitor':
      return <ActivityDialog {...dialog} baseUrl={baseUrl} />;
    case 'edit':
      return <EditKey {...dialog} />;
    case 'replace':
      return <ReplaceKey {...dialog} names={names} baseUrl={baseUrl} />;
    default:
      return <RevokeKey {...dialog} />;
  }
}
