'use client';

import { Text } from '@mantine/core';
import { ClipboardList, KeyRound, Link2, LogOut, type LucideIcon, UserRoundPlus, UserRoundX } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { use } from 'react';
import { changeOwnerAction, createOwnerLinkAction, inviteOwnerAction } from '#app/owner/settings/actions.ts';
import { useOpenDialog } from '#app/ui/dialogs/dialog.tsx';
import { TextField } from '#app/ui/forms/form.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { Company } from '#app/ui/frame/company.ts';
import { ActionMenu } from '#app/ui/lists/action-menu.tsx';
import { ActionDialog, DialogButton, FormDialog } from '#app/ui/sessions/form-dialog.tsx';
import { LinkDialog } from '#app/ui/sessions/link-dialog.tsx';
import type { OwnerSummary } from '#server/accounts/owners/owners.ts';

type Other = Pick<OwnerSummary, 'accountId' | 'rights' | 'name' | 'username' | 'joinLinks'>;

// By whose menu it is, in its order.
const entries = {
  owner: { link: Link2, signOut: LogOut, demote: ClipboardList, remove: UserRoundX },
  manager: { link: Link2, promote: KeyRound, signOut: LogOut, removeManager: UserRoundX },
};
type Action = keyof (typeof entries)['owner'] | keyof (typeof entries)['manager'];

export function OwnerMenu({ other }: { other: Other }) {
  const t = useTranslations('owners');
  const [action, open, close] = useOpenDialog<Action>();
  const { company } = use(Company);
  const { accountId: id, name, username, joinLinks } = other;
  const isRemoval = action === 'remove' || action === 'removeManager';
  return (
    <>
      <ActionMenu
        label={t('actionsNamed', { name })}
        entries={(Object.entries(entries[other.rights]) as [Action, LucideIcon][]).map(([name, icon]) => ({
          text: t(name),
          icon,
          isDestructive: name === 'remove' || name === 'removeManager',
          onChoose: () => open(name),
        }))}
      />
      {action === 'link' && (
        <LinkDialog
          id={id}
          action={createOwnerLinkAction}
          sentences={{ 'no-such-owner': t('gone') }}
          title={t('linkTitle', { name })}
          text={() => t('linkText', { name })}
          label={t('linkLabel')}
          messageWith={(link) => t('linkMessage', { name, company, username, link })}
          onClose={close}
        />
      )}
      {action && action !== 'link' && (
        // Each ends the sessions of the other person, so each asks first.
        <ActionDialog
          action={changeOwnerAction}
          input={{ id, change: action }}
          sentences={{ 'no-such-owner': t('gone'), 'no-such-manager': t('goneManager'), 'last-owner': t('last') }}
          title={<bdi>{t(`${action}Title`, { name })}</bdi>}
          submit={t(action)}
          isDestructive={action !== 'promote'}
          onClose={close}
        >
          <Text>{t(`${action}Text`, { name })}</Text>
          {isRemoval && joinLinks > 0 && <Text>{t('joinLinks', { count: joinLinks })}</Text>}
          {(action === 'remove' || action === 'demote') && <Text className="fine-print">{t('removeKeys')}</Text>}
        </ActionDialog>
      )}
    </>
  );
}

/** The button that invites a new owner or manager: asks for the name, then shows the link once. */
export function InviteOwner({ rights }: { rights: OwnerSummary['rights'] }) {
  const t = useTranslations('owners');
  const form = useTranslations('form');
  const { company } = use(Company);
  const kind = rights === 'owner' ? 'invite' : 'inviteManager';
  return (
    <DialogButton variant="default" icon={UserRoundPlus} text={t(kind)}>
      {(onClose) => (
        <FormDialog
          title={t(kind)}
          submit={form('makeLink')}
          action={({ name = '' }) => inviteOwnerAction({ name, rights })}
          sentences={{ 'too-many': t('tooMany') }}
          onClose={onClose}
          result={({ name, link }) => (
            <>
              <Text>{t('inviteText', { name })}</Text>
              <LinkToHandOver
                label={t('inviteLink')}
                link={link}
                message={t(`${kind}Message`, { name, link, company })}
                onClose={onClose}
              />
            </>
          )}
        >
          <Text>{t(`${kind}Lead`)}</Text>
          <TextField name="name" label={t('name')} data-autofocus />
        </FormDialog>
      )}
    </DialogButton>
  );
}
