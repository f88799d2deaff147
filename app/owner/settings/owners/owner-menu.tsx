'use client';

import { ActionIcon, Alert, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { Link2, LogOut, MoreHorizontal, UserRoundX } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { createOwnerLinkAction, removeOwnerAction, signOutOwnerAction } from '#app/owner/settings/owners/actions.ts';
import { ConfirmDialog } from '#app/ui/dialogs/confirm-dialog.tsx';
import { Dialog } from '#app/ui/dialogs/dialog.tsx';
import { LinkToHandOver } from '#app/ui/forms/link-to-hand-over.tsx';
import { useProvedAction } from '#app/ui/sessions/proved-action.tsx';
import type { OwnerSummary } from '#server/accounts/owners.ts';

type Other = Pick<OwnerSummary, 'accountId' | 'name' | 'username'>;
type DialogProps = { other: Other; onClose: () => void };

const entries = [
  { action: 'link', icon: Link2, isDestructive: false },
  { action: 'signOut', icon: LogOut, isDestructive: true },
  { action: 'remove', icon: UserRoundX, isDestructive: true },
] as const;

/** The menu with the actions on another owner. */
export function OwnerMenu({ other, company }: { other: Other; company: string }) {
  const t = useTranslations('owners');
  const router = useRouter();
  const [action, setAction] = useState<'link' | 'signOut' | 'remove'>();
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
          {entries.map(({ action: name, icon: Icon, isDestructive }) => (
            <Menu.Item
              key={name}
              mih={44}
              color={isDestructive ? 'red' : undefined}
              leftSection={<Icon aria-hidden size={18} />}
              onClick={() => setAction(name)}
            >
              {t(name)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {action === 'link' && <LinkDialog other={other} company={company} onClose={close} />}
      {action === 'signOut' && <SignOutDialog other={other} onClose={close} />}
      {action === 'remove' && <RemoveDialog other={other} onClose={close} />}
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

function SignOutDialog({ other: { accountId: id, name }, onClose }: DialogProps) {
  const t = useTranslations('owners');
  const state = useProvedAction(signOutOwnerAction, onClose, { 'no-such-owner': t('gone') });
  return (
    <>
      <ConfirmDialog
        title={<bdi>{t('signOutTitle', { name })}</bdi>}
        submit={t('signOut')}
        isDestructive
        problem={state.problems.form}
        pending={state.pending}
        onClose={onClose}
        onConfirm={() => void state.run({ id })}
      >
        <Text>{t('signOutText', { name })}</Text>
      </ConfirmDialog>
      {state.dialog}
    </>
  );
}

function RemoveDialog({ other: { accountId: id, name }, onClose }: DialogProps) {
  const t = useTranslations('owners');
  const state = useProvedAction(removeOwnerAction, onClose, {
    'no-such-owner': t('gone'),
    'last-owner': t('last'),
  });
  return (
    <>
      <ConfirmDialog
        title={<bdi>{t('removeTitle', { name })}</bdi>}
        submit={t('remove')}
        isDestructive
        problem={state.problems.form}
        pending={state.pending}
        onClose={onClose}
        onConfirm={() => void state.run({ id })}
      >
        <Text>{t('removeText')}</Text>
        <Text size="sm" c="dimmed">
          {t('removeKeys')}
        </Text>
      </ConfirmDialog>
      {state.dialog}
    </>
  );
}
