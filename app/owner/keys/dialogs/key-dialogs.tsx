'use client';

import { Activity, Pencil, Plus, Repeat, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { whenNeeded } from '#app/ui/dialogs/when-needed.tsx';
import { MainAction } from '#app/ui/lists/action-menu.tsx';
import type { ActionEntry } from '#app/ui/lists/opened-menu.tsx';
import { DialogButton } from '#app/ui/sessions/form-dialog.tsx';
import type { KeyOverview } from '#server/keys/key-overview.ts';

const ActivityDialog = whenNeeded(() => import('#app/owner/keys/activity/key-activity.tsx'), 'ActivityDialog');
const EditKey = whenNeeded(() => import('#app/owner/keys/create/key-forms.tsx'), 'EditKey');
const NewKey = whenNeeded(() => import('#app/owner/keys/create/key-forms.tsx'), 'NewKey');
const RevokeKey = whenNeeded(() => import('#app/owner/keys/activity/key-activity.tsx'), 'RevokeKey');

const icons = { watch: Activity, edit: Pencil, replace: Repeat, revoke: Trash2 };

export type KeyAction = keyof typeof icons;

type KeyProps = { apiKey: KeyOverview; names: string[]; baseUrl: string };
type DialogProps = KeyProps & { action: KeyAction; onClose: () => void };

export function KeyDialog({ action, apiKey, names, baseUrl, onClose }: DialogProps) {
  const dialog = { apiKey, onClose };
  if (action === 'watch') return <ActivityDialog {...dialog} baseUrl={baseUrl} />;
  if (action === 'edit') return <EditKey {...dialog} />;
  if (action === 'replace') return <NewKey {...dialog} names={names} baseUrl={baseUrl} />;
  return <RevokeKey {...dialog} />;
}

export function useKeyEntries(names: KeyAction[], onChoose: (action: KeyAction) => void): ActionEntry[] {
  const t = useTranslations('keys');
  return names.map((name) => ({
    text: t(name),
    icon: icons[name],
    isDestructive: name === 'revoke',
    onChoose: () => onChoose(name),
  }));
}

export function KeyActions(dialog: KeyProps) {
  const t = useTranslations('keys');
  const [action, open, onClose] = useOpenDialog<KeyAction>();
  const entries = useKeyEntries(['edit', 'watch', 'replace', 'revoke'], open);
  return (
    <>
      <MainAction label={t('actionsNamed', { name: dialog.apiKey.name })} entries={entries} />
      {action && <KeyDialog {...dialog} action={action} onClose={onClose} />}
    </>
  );
}

export function CreateKeyButton({ baseUrl }: { baseUrl: string }) {
  return (
    <DialogButton icon={Plus} text={useTranslations('keys')('create')}>
      {(close) => <NewKey baseUrl={baseUrl} onClose={close} />}
    </DialogButton>
  );
}
