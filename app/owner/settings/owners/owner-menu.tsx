'use client';

import { ActionIcon, Alert, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { ClipboardList, KeyRound, Link2, LogOut, MoreHorizontal, UserRoundX } from 'lucide-react';
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
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import type { InvitedRights } from '#server/accounts/owner-links.ts';
import type { OwnerSummary } from '#server/accounts/owners.ts';

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
const isHarmless = (name: 'link' | Change) => name === 'link' || name === 'promote';

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
      <Menu position="bottom-end" width={240}>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('actionsNamed', { name: other.name })}>
            <MoreHorizontal aria-hidden size={20} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {entries[rights].map((name) => {
            const Icon = icons[name];
            return (
              <Menu.Item
                key={name}
                mih={44}
                color={isHarmless(name) ? undefined : 'red'}
                leftSection={<Icon aria-hidden size={18} />}
                onClick={() => setAction(name)}
              >
                {t(name)}
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
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
  const { run, pending, problems, dialog } = useProvedAction(createOwnerLinkAction, (made) => setLink(made.link), {
    'no-such-owner': t('gone'),
  });
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
  const state = useProvedAction(changes[change], onClose, {
    'no-such-owner': t('gone'),
    'no-such-manager': t('goneManager'),
    'last-owner': t('last'),
  });
  return (
    <>
      <ConfirmDialog
        title={<bdi>{t(`${change}Title`, { name })}</bdi>}
        submit={t(change)}
        isDestructive={change !== 'promote'}
        problem={state.problems.form}
        pending={state.pending}
        onClose={onClose}
        onConfirm={() => void state.run({ id })}
      >
        <Text>{t(`${change}Text`, { name })}</Text>
        {isRemoval && joinLinks > 0 && <Text>{t('joinLinks', { count: joinLinks })}</Text>}
        {(change === 'remove' || change === 'demote') && (
          <Text size="sm" c="dimmed">
            {t('removeKeys')}
          </Text>
        )}
      </ConfirmDialog>
      {state.dialog}
    </>
  );
}
