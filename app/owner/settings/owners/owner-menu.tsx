'use client';

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { ClipboardList, KeyRound, Link2, LogOut, UserRoundX } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import {
  createOwnerLinkAction,
  demoteOwnerAction,
  promoteManagerAction,
  removeManagerAction,
  removeOwnerAction,
  signOutOwnerAction,
} from '#app/owner/settings/owners/actions.ts';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { ActionMenu } from '#app/ui/lists/action-menu.tsx';
import { ActionDialog } from '#app/ui/sessions/confirmed-action.tsx';
import { useReauthenticatedAction } from '#app/ui/sessions/reauthenticated-action.tsx';
import type { InvitedRights } from '#server/accounts/owners/owner-links.ts';
import type { OwnerSummary } from '#server/accounts/owners/owners.ts';

type Other = Pick<OwnerSummary, 'accountId' | 'name' | 'username' | 'joinLinks'>;
type DialogProps = { other: Other; onClose: () => void };

const changes = {
  signOut: signOutOwnerAction,
  promote: promoteManagerAction,
  demote: demoteOwnerAction,
  remove: removeOwnerAction,
  removeManager: removeManagerAction,
};
type Change = keyof typeof changes;

const entries = {
  owner: ['link', 'signOut', 'demote', 'remove'],
  manager: ['link', 'promote', 'signOut', 'removeManager'],
} as const;
const icons = {
  link: Link2,
  signOut: LogOut,
  promote: KeyRound,
  demote: ClipboardList,
  remove: UserRoundX,
  removeManager: UserRoundX,
};

/** The menu with the actions on another owner or a manager. */
export function OwnerMenu({ other, rights, company }: { other: Other; rights: InvitedRights; company: string }) {
  const t = useTranslations('owners');
  const router = useRouter();
  const [action, setAction] = useState<'link' | Change>();
  const close = () => {
    setAction(undefined);
    router.refresh();
  };
  return (
    <>
      <ActionMenu
        label={t('actionsNamed', { name: other.name })}
        entries={entries[rights].map((name) => ({
          name,
          text: t(name),
          icon: icons[name],
          isDestructive: name !== 'link' && name !== 'promote',
        }))}
        onChoose={setAction}
      />
      {action === 'link' && <LinkDialog other={other} company={company} onClose={close} />}
      {action && action !== 'link' && <ChangeDialog change={action} other={other} onClose={close} />}
    </>
  );
}

function LinkDialog({ other, company, onClose }: DialogProps & { company: string }) {
  const t = useTranslations('owners');
  const form = useTranslations('form');
  const [link, setLink] = useState<string>();
  const { name, username } = other;
  const { run, pending, problems, dialog } = useReauthenticatedAction(
    createOwnerLinkAction,
    (made) => setLink(made.link),
    {
      'no-such-owner': t('gone'),
    },
  );
  return (
    <>
      <Dialog onClose={onClose} title={<bdi>{t('linkTitle', { name })}</bdi>} size="lg" closeOnClickOutside={false}>
        <Stack>
          {problems.form && <Alert color="red">{problems.form}</Alert>}
          <Text>{t('linkText', { name })}</Text>
          {link ? (
            <LinkToHandOver
              label={t('linkLabel')}
              link={link}
              message={t('linkMessage', { name, company, username, link })}
              onClose={onClose}
            />
          ) : (
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {form('cancel')}
              </Button>
              <Button loading={pending} onClick={() => void run({ id: other.accountId })}>
                {t('makeLink')}
              </Button>
            </Group>
          )}
        </Stack>
      </Dialog>
      {dialog}
    </>
  );
}

// Each ends the sessions of the other person, so each asks first.
function ChangeDialog({
  change,
  other: { accountId: id, name, joinLinks },
  onClose,
}: DialogProps & { change: Change }) {
  const t = useTranslations('owners');
  const isRemoval = change === 'remove' || change === 'removeManager';
  return (
    <ActionDialog
      action={changes[change]}
      input={{ id }}
      sentences={{ 'no-such-owner': t('gone'), 'no-such-manager': t('goneManager'), 'last-owner': t('last') }}
      title={<bdi>{t(`${change}Title`, { name })}</bdi>}
      submit={t(change)}
      isDestructive={change !== 'promote'}
      onClose={onClose}
      onDone={onClose}
    >
      <Text>{t(`${change}Text`, { name })}</Text>
      {isRemoval && joinLinks > 0 && <Text>{t('joinLinks', { count: joinLinks })}</Text>}
      {(change === 'remove' || change === 'demote') && (
        <Text size="sm" c="dimmed">
          {t('removeKeys')}
        </Text>
      )}
    </ActionDialog>
  );
}
